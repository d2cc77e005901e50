// Entry of the worker. There is one hub for all tabs or, without shared workers, a hub for each tab, and one of them
// leads.
import { Hub, SILENT_CHANNEL, type Channel, type Environment } from "../hub";
import { CHANNEL_NAME } from "../contract";
import { openStore, type DatabaseEnd, type Store } from "../store";
import { isHttps, isNearby, type ServerAddress } from "../protocol";

declare const self: SharedWorkerGlobalScope | DedicatedWorkerGlobalScope;

/** Why the database can't be used. */
type Trouble = { problem: DatabaseEnd; text: string };

/** Opens the database, or the same store in memory if that fails. */
async function openAnyStore(
  tell: (trouble: Trouble) => void,
): Promise<{ store: Store; mode: Environment["mode"]; trouble?: Trouble }> {
  const opened = await openStore({ onEnd: (problem) => tell({ problem, text: "" }) });
  if (opened.ok) return { store: opened.value, mode: "database" };
  // Replaces the browser's IndexedDB, with its classes, by one in memory.
  await import("fake-indexeddb/auto");
  const inMemory = await openStore();
  if (!inMemory.ok) throw new Error(inMemory.error.text);
  const { kind, text } = opened.error;
  const problem = kind === "newer-version" ? kind : "unreadable";
  return { store: inMemory.value, mode: "memory", trouble: { problem, text } };
}

/** Undefined if the browser has none or refuses access. */
function broadcastChannel(): Channel | undefined {
  let channel: BroadcastChannel;
  try {
    channel = new BroadcastChannel(CHANNEL_NAME);
  } catch {
    return undefined;
  }
  return {
    post: (message) => channel.postMessage(message),
    listen(listener) {
      const hear = (event: MessageEvent): void => listener(event.data);
      channel.addEventListener("message", hear);
      return () => channel.removeEventListener("message", hear);
    },
  };
}

const connectWebSocket: Environment["connectWebSocket"] = (url, events) => {
  let socket: WebSocket;
  try {
    socket = new WebSocket(url);
  } catch {
    // This is how browsers refuse plain WebSockets from an https page; a plain request then finds out what is wrong.
    queueMicrotask(() => events.closed());
    return { close: () => undefined };
  }
  socket.onmessage = ({ data }) => events.data(data);
  socket.onclose = () => events.closed();
  return { close: () => socket.close() };
};

async function startHub(): Promise<Hub> {
  let hub: Hub | undefined = undefined as Hub | undefined;
  const { store, mode, trouble } = await openAnyStore(({ problem, text }) => {
    // The connection closes in this turn of the event loop, so the streams and the lead end with it.
    hub?.announceStorage(problem, text);
    hub?.stop();
    // The next worker opens the database again, unless a newer version has it, which would refuse again.
    if (problem !== "newer-version") self.close();
  });
  // Rows in memory belong to this hub alone, so it neither leads nor follows others. The same holds for a hub without a
  // channel.
  const channel = mode === "memory" ? undefined : broadcastChannel();
  const environment: Environment = {
    fetch: (url: string, init?: RequestInit) => fetch(url, init),
    connectWebSocket,
    now: () => Date.now(),
    setTimer: (run: () => void, delayMs: number) => setTimeout(run, delayMs),
    clearTimer: (timer: unknown) => clearTimeout(timer as number | undefined),
    random: () => Math.random(),
    randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
    channel: channel ?? SILENT_CHANNEL,
    // Without a secure context there are no locks, whatever their type says.
    locks: channel && navigator.locks,
    store,
    mode,
    isBlocked,
    savesData: () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData,
    build: __BUILD__,
    report: (problem: unknown) => reportError(problem),
  };
  const hubId = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join("");
  hub = new Hub(environment, hubId);
  if (trouble) hub.announceStorage(trouble.problem, trouble.text);
  hub.start();
  return hub;
}

/**
 * Whether the browser keeps this app from reaching an address: plain http from https, or a machine nearby without the
 * user's permission (docs/design.md §10, "Local network"). The browser itself says only that a request failed.
 */
async function isBlocked(address: ServerAddress): Promise<boolean> {
  if (self.location.protocol !== "https:") return false;
  if (!isNearby(address)) return !isHttps(address);
  if (isNearby(self.location.href)) return false;
  try {
    const permission = await navigator.permissions.query({ name: "local-network" as PermissionName });
    return permission.state !== "granted";
  } catch {
    // A browser that doesn't know this permission doesn't ask for it.
    return false;
  }
}

const starting = startHub();
if ("onconnect" in self) {
  // Ports queue messages until they are listened to, so no command is lost while the database opens.
  self.onconnect = ({ ports: [port] }) => {
    if (port) void starting.then((hub) => hub.attach(port));
  };
} else {
  const scope = self;
  const early: MessageEvent[] = [];
  scope.onmessage = (event) => void early.push(event);
  void starting.then((hub) => {
    hub.attach(scope);
    for (const event of early) scope.onmessage?.(event);
  });
}
