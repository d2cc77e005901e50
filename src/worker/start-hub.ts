import {
  Hub,
  leaseLeadership,
  SILENT_CHANNEL,
  lockLeadership,
  soleLeadership,
  type Channel,
  type Port,
  type Environment,
} from "../hub";
import { CHANNEL_NAME } from "../protocol";
import { openStore, type Store, type StoreError } from "../store";
import { isBlocked } from "./is-blocked";

/** A worker's end of a line to a tab: a port, or the scope of a dedicated worker. */
export interface Line {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => unknown) | null;
}

/** A line as the hub sees it. */
export function portOf(line: Line): Port {
  return {
    post: (message) => line.postMessage(message),
    listen(listener) {
      line.onmessage = (event) => void listener(event.data);
    },
  };
}

/** What the hub has to say of the database from the start, if it can't be used. */
type Trouble = { problem: "unreadable" | "newer-version"; text: string };

/** Opens the database, or the same store in memory where it can't be opened. */
async function openAnyStore(
  tell: (trouble: Trouble) => void,
): Promise<{ store: Store; mode: Environment["mode"]; trouble?: Trouble }> {
  const opened = await openStore({
    onVersionChange: () => tell({ problem: "newer-version", text: "" }),
    onTerminated: () => tell({ problem: "unreadable", text: "" }),
  });
  if (opened.ok) return { store: opened.value, mode: "database" };
  // Puts one in memory, with its classes, in the place of the browser's.
  await import("fake-indexeddb/auto");
  const inMemory = await openStore();
  if (!inMemory.ok) throw new Error(inMemory.error.text);
  return { store: inMemory.value, mode: "memory", trouble: troubleOf(opened.error) };
}

function troubleOf({ kind, text }: StoreError): Trouble {
  return { problem: kind === "newer-version" ? "newer-version" : "unreadable", text };
}

/** Undefined where there is none, or where the browser refuses it. */
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
    // Plain WebSockets from a page by https are refused so; what is wrong is found out by a plain request.
    queueMicrotask(() => events.closed());
    return { close: () => undefined };
  }
  socket.onmessage = ({ data }) => events.data(data);
  socket.onclose = () => events.closed();
  return { close: () => socket.close() };
};

/** Gives the hub its environment and starts it. */
export async function startHub(): Promise<Hub> {
  let hub: Hub | undefined = undefined as Hub | undefined;
  const { store, mode, trouble } = await openAnyStore(({ problem, text }) => {
    // The connection closes in this turn: streams and the lead go with it.
    hub?.announceStorage(problem, text);
    hub?.stop();
    // The next worker opens the database anew; a newer one on the disk would only be refused again.
    if (problem === "unreadable") self.close();
  });
  // Rows in memory are this hub's own affair: it neither leads nor follows others. Nor does one that hears nobody.
  const channel = mode === "memory" ? undefined : broadcastChannel();
  const base = {
    fetch: (url: string, init?: RequestInit) => fetch(url, init),
    connectWebSocket,
    now: () => Date.now(),
    setTimer: (run: () => void, delayMs: number) => setTimeout(run, delayMs),
    clearTimer: (timer: unknown) => clearTimeout(timer as number | undefined),
    random: () => Math.random(),
    channel: channel ?? SILENT_CHANNEL,
    store,
    mode,
    isBlocked,
    build: __BUILD__,
    report: (problem: unknown) => reportError(problem),
  };
  const hubId = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join("");
  // The locks are missing without a secure context, whatever their type says.
  const locks = navigator.locks as LockManager | undefined;
  const leadership = !channel ? soleLeadership : locks ? lockLeadership(locks) : leaseLeadership(base, hubId);
  hub = new Hub({ ...base, leadership }, hubId);
  if (trouble) hub.announceStorage(trouble.problem, trouble.text);
  hub.start();
  return hub;
}
