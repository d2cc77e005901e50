import {
  CHANNEL_NAME,
  CONTRACT_VERSION,
  type HubEvent,
  type ServerStatus,
  type CommandName,
  type Commands,
} from "../contract";
import { openReader, type DatabaseEnd, type Reader } from "../store";
import { type HubChannel, HubConnection, sendAgain, followPage } from "./hub-connection";
import { openWorker, type WorkerKind } from "./open-worker";
import { guardedReads, portReader, type GuardedRead, StorageTrouble } from "./guarded-reads";
import { inspect, probe } from "./probe";

export interface PageEnvironment {
  /** https or localhost: service worker, locks, clipboard, notifications and installing need it. */
  secure: boolean;
  /** Where rows are kept: in the database, or in memory if that can't be opened. */
  storage: "database" | "memory";
  worker: WorkerKind;
}

/** The page's only way to the hub and to what is stored: reads, commands, announcements. */
export interface Client {
  readonly environment: PageEnvironment;
  /**
   * Reads what is stored. A failure is announced as storage trouble before the read resolves; its text is the browser's
   * own, for the details.
   */
  readonly read: GuardedRead;
  /** Sends a command to the hub. Never rejects for an expected failure: those are in the result. */
  send<Name extends CommandName>(name: Name, input: Commands[Name]["input"]): Promise<Commands[Name]["output"]>;
  /** Calls back on every announcement, and at once if storage is in trouble now. Returns a function that stops this. */
  listen(listener: (event: HubEvent) => void): () => void;
  /** The newest status of each server, by serverId. Updated before listeners are called. */
  readonly statuses: ReadonlyMap<number, ServerStatus>;
  probe: typeof probe;
  inspect: typeof inspect;
  close(): void;
}

type Listener = (event: HubEvent) => void;

/**
 * Starts or joins the hub and opens the database for reading. Waits for the database, which an older version in another
 * tab may keep open, but not for the hub.
 *
 * @param hubMayStart resolves once the page has drawn what it can without a hub; the hub starts at once if a command is
 * sent before that, or the database can't be opened
 */
export async function connect(hubMayStart: Promise<void>): Promise<Client> {
  const listeners = new Set<Listener>();
  const statuses = new Map<number, ServerStatus>();
  const tell: Listener = (event) => {
    for (const listener of [...listeners]) listener(event);
  };
  const trouble = new StorageTrouble(tell);
  const end = (problem: DatabaseEnd, text?: string): void => {
    trouble.ended(problem, text);
    // Messages that arrive after closing are ignored.
    for (const [serverId, known] of statuses) {
      const status: ServerStatus = { ...known, state: { kind: "idle" }, checking: false };
      statuses.set(serverId, status);
      tell({ kind: "status", status });
    }
  };
  const announce: Listener = (event) => {
    if (event.kind === "storage") return trouble.told(event);
    if (event.kind === "status" && trouble.hasEnded) return;
    if (event.kind === "status") statuses.set(event.status.serverId, event.status);
    // A frozen page still receives announcements, but its reads would never end, and would block all writers until it
    // is thawed.
    if (hub.isAside) return;
    tell(event);
    if (event.kind === "missed") askStatus();
  };
  const askStatus = (): void =>
    void hub.queue("status", {}).then((known) => {
      for (const status of known) announce({ kind: "status", status });
    });

  // Where rows are kept. The hub decides; until it answers, this depends on what the page itself could open.
  let storage: PageEnvironment["storage"] | undefined;
  const useStorage = (mode: PageEnvironment["storage"]): void => {
    const before = storage;
    storage = mode;
    if (before !== undefined && before !== mode) announce({ kind: "catalogue" });
  };

  const hub = new HubConnection(
    {
      openWorker,
      mayStart: hubMayStart,
      // Chrome for Android has them from 148 on.
      hasSharedWorkers: "SharedWorker" in globalThis,
      build: __BUILD__,
      setTimer: (run, delayMs) => setTimeout(run, delayMs),
      clearTimer: (timer) => clearTimeout(timer as number | undefined),
    },
    { event: announce, pong: (pong) => useStorage(pong.mode) },
  );
  const channel = hearHubs((data) => {
    const { version, kind, event } = Object(data) as { version?: unknown; kind?: unknown; event?: HubEvent };
    if (typeof version !== "number" || kind === undefined) return;
    // A newer hub takes the lead, and this page understands nothing it says. Without this, the screen would silently
    // stop updating.
    if (version > CONTRACT_VERSION) end("newer-version");
    // Rows in memory have numbers of their own, so announcements of other hubs are about other rows.
    if (version === CONTRACT_VERSION && kind === "event" && event && storage !== "memory") announce(event);
  });

  const opened = await openReader({ onEnd: end });
  if (!opened.ok) hub.start();
  const remote = portReader(hub);
  if (storage === undefined) useStorage(opened.ok ? "database" : "memory");
  const own = (): Reader | undefined => (opened.ok && storage === "database" ? opened.value.reader : undefined);
  const read = guardedReads(
    () => own() ?? remote,
    ({ text }) => {
      if (own()) end("unreadable", text);
      else trouble.told({ kind: "storage", problem: "unreadable", text });
    },
  );

  const stopFollowing = followPage(hub, channel);
  askStatus();

  sendAgain(hub.send);

  return {
    get environment() {
      return { secure: isSecureContext, storage: storage ?? "database", worker: hub.kind };
    },
    read,
    send: hub.send,
    listen(listener) {
      listeners.add(listener);
      if (trouble.current) listener(trouble.current);
      return () => listeners.delete(listener);
    },
    statuses,
    probe,
    inspect,
    close() {
      stopFollowing();
      channel.close();
      hub.close();
      if (opened.ok) opened.value.close();
    },
  };
}

/** Listens to all hubs until it is closed. */
function hearHubs(hear: (data: unknown) => void): HubChannel {
  let channel: BroadcastChannel | undefined;
  const open = (): void => {
    try {
      channel = new BroadcastChannel(CHANNEL_NAME);
    } catch {
      // There is no channel, or the user forbids sites to store anything. Then no tab hears of any other.
      return;
    }
    channel.onmessage = ({ data }: { data: unknown }) => hear(data);
  };
  open();
  return { open, close: () => channel?.close() };
}
