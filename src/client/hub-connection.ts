import {
  type CommandName,
  type Commands,
  CONTRACT_VERSION,
  type HubEvent,
  traitsOf,
  type WorkerMessage,
} from "../contract";
import { fail, isJsonObject } from "../protocol";
import type { OpenWorker, WorkerKind, WorkerPort } from "./open-worker";

/**
 * A live worker answers a ping well within this, ms; the first ping waits until it has loaded and opened the database.
 */
const ANSWER_WITHIN_MS = 5_000;
const START_WITHIN_MS = 8_000;

/** A worker with rows in memory would take them along, so it gets longer to answer, ms. */
const IN_MEMORY_WITHIN_MS = 30_000;

/** How often the worker is pinged while the page is in sight, ms: nothing else shows that it is gone. */
const PING_EVERY_MS = 10_000;

/**
 * The same out of sight, ms, about as often as browsers run timers there. Such a tab may be the only one, and it shows
 * the alerts.
 */
const PING_OUT_OF_SIGHT_MS = 60_000;

/** After this many shared workers failed to answer, each tab gets its own. */
const MAX_SHARED = 3;

export interface HubConnectionEnvironment {
  openWorker: OpenWorker;
  /** Resolves when a worker may be opened unasked, which keeps a core busy while the first rows are drawn. */
  mayStart: Promise<void>;
  hasSharedWorkers: boolean;
  build: string;
  setTimer(run: () => void, delayMs: number): unknown;
  clearTimer(timer: unknown): void;
}

/** Where the page hears the hubs of other tabs. */
export interface HubChannel {
  open(): void;
  close(): void;
}

export interface HubConnectionEvents {
  event(event: HubEvent): void;
  pong(pong: Commands["ping"]["output"]): void;
}

interface Pending {
  name: CommandName;
  input: unknown;
  resolve(output: unknown): void;
}

/**
 * The connection to the hub: numbers commands, matches answers to them, and moves to the next worker if one doesn't
 * answer. The same name would reach the hung worker again, so each name holds its generation (docs/design.md §3).
 */
export class HubConnection {
  readonly #pending = new Map<number, Pending>();
  /** The newest input of each command that every new worker must get. */
  readonly #lasting = new Map<CommandName, unknown>();
  /** Undefined before the start, and once the page is left. */
  #port: WorkerPort | undefined;
  #generation = 0;
  /** How long to wait for the answer to a ping, ms. */
  #withinMs = START_WITHIN_MS;
  #hasAnswered = false;
  #nextId = 1;
  #pingTimer: unknown;
  #isVisible = true;
  /** Whether the page is frozen or left, or about to be. */
  isAside = false;
  #pingId: number | undefined;

  constructor(
    private readonly environment: HubConnectionEnvironment,
    private readonly events: HubConnectionEvents,
  ) {
    void environment.mayStart.then(() => this.start());
  }

  /** Opens the worker, unless it is open or the page is aside, and sends what was queued. */
  start(): void {
    if (this.isAside || this.#port) return;
    this.#port = this.#open();
    for (const [id, { name, input }] of this.#pending) this.#post(id, name, input);
    this.#ping();
  }

  get kind(): WorkerKind {
    return this.environment.hasSharedWorkers && this.#generation < MAX_SHARED ? "shared" : "dedicated";
  }

  /** Sends a command, for which the worker starts. A property, so that it can be passed on by itself. */
  readonly send = <Name extends CommandName>(
    name: Name,
    input: Commands[Name]["input"],
  ): Promise<Commands[Name]["output"]> => {
    this.start();
    return this.queue(name, input);
  };

  /** The same for what can wait until the worker has started. */
  queue<Name extends CommandName>(name: Name, input: Commands[Name]["input"]): Promise<Commands[Name]["output"]> {
    if (traitsOf(name).resend === "always") this.#lasting.set(name, input);
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#pending.set(id, { name, input, resolve: resolve as (output: unknown) => void });
      this.#note(name);
      this.#post(id, name, input);
    });
  }

  /** Sets whether the tab is in sight, of which the worker hears at once; out of sight further pings are rare. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (this.isAside || !this.#port) return;
    this.#endPing();
    if (isVisible) return this.#ping();
    // Nobody waits for the answer, because a hidden page may be suspended before it comes.
    this.#post(this.#nextId++, "ping", { inSight: false });
    this.#pingTimer = this.environment.setTimer(() => this.#ping(), PING_OUT_OF_SIGHT_MS);
  }

  /**
   * Call this when the page is about to be frozen, or is left. Its own worker would freeze with it and keep the lead;
   * there is no time to hand the lead over, so the worker is ended, its unfinished writes are undone, and the next
   * leader's polls bring them again. A page that is left closes its connection to a shared worker too: any answer would
   * make Chromium drop it instead of keeping it for Back.
   */
  putAside(why: "frozen" | "left"): void {
    this.isAside = true;
    // Otherwise this timer would fire on resuming, before the answer is heard.
    this.#endPing();
    if (!this.#port || (why === "frozen" && this.kind === "shared")) return;
    this.#post(this.#nextId++, "setAlerting", { able: false });
    this.#port.close();
    this.#port = undefined;
  }

  /** Stores which commands have no answer, since a page may crash, or be frozen or discarded, at any time. */
  #note(changed: CommandName): void {
    if (!traitsOf(changed).noted) return;
    const unanswered = [...this.#pending.values()].map(({ name, input }) => ({ name, input }));
    noteUnanswered(unanswered.filter(isNoted));
  }

  /** Call this when the page resumes. */
  comeBack(): void {
    if (!this.isAside) return;
    this.isAside = false;
    if (this.#port) this.setVisible(this.#isVisible);
    else this.#next(this.#generation);
    this.events.event({ kind: "missed" });
  }

  #endPing(): void {
    this.environment.clearTimer(this.#pingTimer);
    this.#pingId = undefined;
  }

  close(): void {
    this.isAside = true;
    this.environment.clearTimer(this.#pingTimer);
    this.#port?.close();
  }

  #open(): WorkerPort {
    const { openWorker, build } = this.environment;
    const { kind } = this;
    const generation = this.#generation;
    const port = openWorker(kind, `earshot ${build} ${generation}`, () => {
      // An error of a worker that has answered is a bug in it, not a failure to load.
      if (generation === this.#generation && !this.#hasAnswered && kind === "shared") this.#next(MAX_SHARED);
    });
    port.onmessage = ({ data }) => {
      if (generation === this.#generation) this.#hear(data);
    };
    return port;
  }

  #ping(): void {
    if (!this.#port) return;
    const id = this.#nextId++;
    this.#pingId = id;
    this.#post(id, "ping", { inSight: this.#isVisible && !this.isAside });
    this.#pingTimer = this.environment.setTimer(() => this.#next(this.#generation + 1), this.#withinMs);
  }

  #hearPong(output: Commands["ping"]["output"]): void {
    // The previous worker may not have announced what it stored last.
    if (!this.#hasAnswered && this.#generation > 0) this.events.event({ kind: "missed" });
    this.#hasAnswered = true;
    this.#withinMs = output.mode === "memory" ? IN_MEMORY_WITHIN_MS : ANSWER_WITHIN_MS;
    this.#endPing();
    const inMs = this.#isVisible ? PING_EVERY_MS : PING_OUT_OF_SIGHT_MS;
    this.#pingTimer = this.environment.setTimer(() => this.#ping(), inMs);
    this.events.pong(output);
  }

  /** Abandons a worker that doesn't answer, and sends unanswered commands to the next. */
  #next(generation: number): void {
    this.environment.clearTimer(this.#pingTimer);
    this.#port?.close();
    this.#generation = generation;
    this.#hasAnswered = false;
    this.#withinMs = START_WITHIN_MS;
    this.#port = this.#open();
    for (const [name, input] of this.#lasting) this.#post(this.#nextId++, name, input);
    for (const [id, { name, input }] of [...this.#pending]) {
      if (traitsOf(name).resend !== "never") this.#post(id, name, input);
      else this.#settle(id, fail({ kind: "failed", why: { kind: "silent" } }));
    }
    this.#ping();
  }

  #post(id: number, name: CommandName, input: unknown): void {
    this.#port?.postMessage({ version: CONTRACT_VERSION, id, name, input });
  }

  #hear(data: unknown): void {
    if (!isWorkerMessage(data)) return;
    if (data.kind === "event") this.events.event(data.event);
    else if (data.id === this.#pingId) this.#hearPong(data.output as Commands["ping"]["output"]);
    else this.#settle(data.id, data.output);
  }

  #settle(id: number, output: unknown): void {
    const settled = this.#pending.get(id);
    if (!settled) return;
    this.#pending.delete(id);
    this.#note(settled.name);
    settled.resolve(output);
  }
}

function isWorkerMessage(data: unknown): data is WorkerMessage {
  return isJsonObject(data) && data["version"] === CONTRACT_VERSION;
}

/** Where the tab stores the commands that have no answer yet. */
const KEY = "earshot-unanswered";

type Unanswered = Pick<Pending, "name" | "input">[];

/** Stores commands for the tab's next page, or none: a reload may end the worker before it has carried them out. */
function noteUnanswered(commands: Unanswered): void {
  inStorage((storage) => {
    storage.removeItem(KEY);
    if (commands.length > 0) storage.setItem(KEY, JSON.stringify({ version: CONTRACT_VERSION, commands }));
  });
}

/** Sends again what the tab's previous page got no answer to. */
export function sendAgain(send: HubConnection["send"]): void {
  const noted = inStorage((storage) => storage.getItem(KEY));
  if (!noted) return;
  noteUnanswered([]);
  for (const { name, input } of read(noted)) void send(name, input as Commands[CommandName]["input"]);
}

function read(text: string): Unanswered {
  try {
    const { version, commands } = Object(JSON.parse(text, asWritten)) as { version?: unknown; commands?: unknown };
    // Another version may understand them differently.
    return version === CONTRACT_VERSION && Array.isArray(commands) ? commands.filter(isNoted) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** JSON has no Infinity, which mutes for good. */
const asWritten = (key: string, value: unknown): unknown =>
  key === "mutedUntilMs" && value === null ? Infinity : value;

/** Whether this is a stored command: anything else served from this origin may have written it. */
function isNoted(command: unknown): command is Unanswered[number] {
  if (!isJsonObject(command) || !isJsonObject(command["input"])) return false;
  const traits = traitsOf(command["name"] as CommandName) as ReturnType<typeof traitsOf> | undefined;
  return traits?.noted?.(command["input"]) ?? false;
}

/** Uses the tab's storage; undefined if the browser denies it, as in some private windows, or it is full. */
function inStorage<Value>(work: (storage: Storage) => Value): Value | undefined {
  try {
    return work(sessionStorage);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/**
 * Tells the hub when the page is in sight, thawed, online, offline, frozen or left, and closes the channel of the other
 * hubs while it is left. Returns a function that stops this.
 */
export function followPage(hub: HubConnection, channel: HubChannel): () => void {
  const over = new AbortController();
  const on = (target: EventTarget, name: string, react: (event: Event) => void): void =>
    target.addEventListener(name, react, { signal: over.signal });
  const cameBack = (): void => void hub.queue("resume", {});
  const isVisible = (): boolean => document.visibilityState === "visible";

  on(document, "visibilitychange", () => {
    hub.setVisible(isVisible());
    if (isVisible()) cameBack();
  });
  on(document, "freeze", () => hub.putAside("frozen"));
  on(document, "resume", () => {
    hub.comeBack();
    cameBack();
  });
  on(window, "pagehide", () => {
    hub.putAside("left");
    channel.close();
  });
  on(window, "pageshow", (event) => {
    if (!(event as PageTransitionEvent).persisted) return;
    channel.open();
    hub.comeBack();
    cameBack();
  });
  on(window, "online", () => void hub.queue("setOnline", { online: true }));
  on(window, "offline", () => void hub.queue("setOnline", { online: false }));
  if (!navigator.onLine) void hub.queue("setOnline", { online: false });
  if (!isVisible()) hub.setVisible(false);
  return () => over.abort();
}
