import {
  type CommandName,
  type Commands,
  CONTRACT_VERSION,
  type HubEvent,
  traitsOf,
  type WorkerMessage,
} from "../contract";
import { fail, isJsonObject } from "../protocol";
import type { OpenWorker, WorkerPort } from "./open-worker";

/**
 * A live worker answers a ping well within this, ms; the first ping waits until it has loaded and opened the database.
 */
const ANSWER_WITHIN_MS = 5_000;
const START_WITHIN_MS = 8_000;

/** A worker that keeps rows in memory would take them with it, so it gets longer to answer, ms. */
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

/** What the connection needs of its environment; a test can replace it. */
export interface HubConnectionEnvironment {
  openWorker: OpenWorker;
  /** Resolves when the first worker is opened; nothing answers before, so nothing is pinged. */
  start: Promise<void>;
  hasSharedWorkers: boolean;
  build: string;
  setTimer(run: () => void, delayMs: number): unknown;
  clearTimer(timer: unknown): void;
}

/** Called with what comes from the hub. */
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
  #port: WorkerPort;
  #generation = 0;
  /** How long to wait for the answer to a ping, ms. */
  #withinMs = START_WITHIN_MS;
  #isStarted = false;
  #hasAnswered = false;
  #nextId = 1;
  #pingTimer: unknown;
  #isVisible = true;
  #isAside = false;
  #pingId: number | undefined;

  constructor(
    private readonly environment: HubConnectionEnvironment,
    private readonly events: HubConnectionEvents,
  ) {
    this.#port = this.#open();
    void environment.start.then(() => {
      this.#isStarted = true;
      this.#ping();
    });
  }

  get kind(): WorkerPort["kind"] {
    return this.#port.kind;
  }

  /** Sends a command. A property, so that it can be passed on by itself. */
  readonly send = <Name extends CommandName>(
    name: Name,
    input: Commands[Name]["input"],
  ): Promise<Commands[Name]["output"]> => {
    if (traitsOf(name).resend === "always") this.#lasting.set(name, input);
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#pending.set(id, { name, input, resolve: resolve as (output: unknown) => void });
      this.#post(id, name, input);
    });
  };

  /** Sets whether the tab is in sight: coming into sight pings at once, out of sight pings are rare. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (this.#isAside) return;
    this.#endPing();
    if (isVisible) this.#ping();
    else this.#pingLater();
  }

  /**
   * Call when the page is about to be frozen: its own worker would freeze with it and keep the lead. There is no time
   * to hand the lead over, so the worker is ended. Its unfinished writes are undone, and the next leader's polls bring
   * them again.
   */
  putAside(): void {
    this.#isAside = true;
    // Otherwise this timer would fire on resuming, before the answer is heard.
    this.#endPing();
    if (this.kind === "dedicated") this.#port.close();
  }

  /** Whether the page is frozen, or about to be. */
  get isAside(): boolean {
    return this.#isAside;
  }

  /** Call when the page resumes. */
  comeBack(): void {
    if (!this.#isAside) return;
    this.#isAside = false;
    this.events.event({ kind: "missed" });
    if (this.kind === "dedicated") this.#next(this.#generation);
    else this.setVisible(this.#isVisible);
  }

  #endPing(): void {
    this.environment.clearTimer(this.#pingTimer);
    this.#pingId = undefined;
  }

  close(): void {
    this.environment.clearTimer(this.#pingTimer);
    this.#port.close();
  }

  #open(): WorkerPort {
    const { openWorker, hasSharedWorkers, build } = this.environment;
    const generation = this.#generation;
    const kind = hasSharedWorkers && generation < MAX_SHARED ? "shared" : "dedicated";
    return openWorker(kind, `earshot ${build} ${generation}`, {
      message: (data) => {
        if (generation === this.#generation) this.#hear(data);
      },
      failed: () => {
        // An error of a worker that has answered is a bug in it, not a failure to load.
        if (generation === this.#generation && !this.#hasAnswered && kind === "shared") this.#next(MAX_SHARED);
      },
    });
  }

  #ping(): void {
    if (!this.#isStarted) return;
    const id = this.#nextId++;
    this.#pingId = id;
    this.#post(id, "ping", { inSight: this.#isVisible && !this.#isAside });
    this.#pingTimer = this.environment.setTimer(() => this.#next(this.#generation + 1), this.#withinMs);
  }

  #hearPong(output: Commands["ping"]["output"]): void {
    // The previous worker may not have announced what it stored last.
    if (!this.#hasAnswered && this.#generation > 0) this.events.event({ kind: "missed" });
    this.#hasAnswered = true;
    this.#withinMs = output.mode === "memory" ? IN_MEMORY_WITHIN_MS : ANSWER_WITHIN_MS;
    this.#pingId = undefined;
    this.#pingLater();
    this.events.pong(output);
  }

  #pingLater(): void {
    if (!this.#isStarted) return;
    this.environment.clearTimer(this.#pingTimer);
    const inMs = this.#isVisible ? PING_EVERY_MS : PING_OUT_OF_SIGHT_MS;
    this.#pingTimer = this.environment.setTimer(() => this.#ping(), inMs);
  }

  /** Leaves a worker that doesn't answer, and sends unanswered commands to the next. */
  #next(generation: number): void {
    this.environment.clearTimer(this.#pingTimer);
    this.#port.close();
    this.#generation = generation;
    this.#hasAnswered = false;
    this.#withinMs = START_WITHIN_MS;
    this.#port = this.#open();
    for (const [name, input] of this.#lasting) this.#post(this.#nextId++, name, input);
    for (const [id, { name, input, resolve }] of [...this.#pending]) {
      if (traitsOf(name).resend !== "never") this.#post(id, name, input);
      else {
        this.#pending.delete(id);
        resolve(fail({ kind: "failed", why: { kind: "silent" } }));
      }
    }
    this.#ping();
  }

  #post(id: number, name: CommandName, input: unknown): void {
    this.#port.post({ version: CONTRACT_VERSION, id, name, input });
  }

  #hear(data: unknown): void {
    if (!isWorkerMessage(data)) return;
    if (data.kind === "event") this.events.event(data.event);
    else if (data.id === this.#pingId) this.#hearPong(data.output as Commands["ping"]["output"]);
    else {
      this.#pending.get(data.id)?.resolve(data.output);
      this.#pending.delete(data.id);
    }
  }
}

function isWorkerMessage(data: unknown): data is WorkerMessage {
  return isJsonObject(data) && data["version"] === CONTRACT_VERSION;
}
