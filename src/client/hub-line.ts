import {
  type CommandName,
  type Commands,
  CONTRACT_VERSION,
  fail,
  type HubEvent,
  type WorkerMessage,
} from "../protocol";
import type { OpenWorker, WorkerLine } from "./open-worker";

/**
 * A worker that lives answers a ping well within this, ms; the first time it has to be loaded and to open the database.
 */
const ANSWER_WITHIN_MS = 5_000;
const START_WITHIN_MS = 8_000;

/** While in sight, the worker is pinged this often, ms: nothing else tells that it is gone. */
const PING_EVERY_MS = 10_000;

/**
 * Out of sight, where timers are held back to about this, ms: such a tab may be the only one, and alerts are for it.
 */
const PING_OUT_OF_SIGHT_MS = 60_000;

/** After so many shared workers that did not answer, each tab has one of its own. */
const MAX_SHARED = 3;

/** Doing these twice is not the same as doing them once, so they are not sent again to the next worker. */
const ONCE: readonly CommandName[] = ["publish", "runAction", "subscribe"];

/** What holds until it is said otherwise, so that the next worker must hear it as well. */
const STICKY: readonly CommandName[] = ["setOnline", "setAlerting"];

/** Where the line runs; a test owns it. */
export interface LineEnvironment {
  openWorker: OpenWorker;
  hasSharedWorkers: boolean;
  build: string;
  setTimer(run: () => void, delayMs: number): unknown;
  clearTimer(timer: unknown): void;
}

/** What comes from the hub. */
export interface HubLineEvents {
  event(event: HubEvent): void;
  pong(pong: Commands["ping"]["output"]): void;
}

interface Pending {
  name: CommandName;
  input: unknown;
  resolve(output: unknown): void;
}

/**
 * The line to the hub: numbers commands, matches answers, and goes on to the next worker when one does not answer. The
 * same name would only reach the hung one again, so each has its generation in it (docs/design.md §3).
 */
export class HubLine {
  readonly #environment: LineEnvironment;
  readonly #events: HubLineEvents;
  readonly #pending = new Map<number, Pending>();
  /** The newest input of each sticky command. */
  readonly #sticky = new Map<CommandName, unknown>();
  #line: WorkerLine;
  #generation = 0;
  #hasAnswered = false;
  #nextId = 1;
  #pingTimer: unknown;
  #isVisible = true;
  #isAside = false;
  #pingId: number | undefined;

  constructor(environment: LineEnvironment, events: HubLineEvents) {
    this.#environment = environment;
    this.#events = events;
    this.#line = this.#open();
    this.#ping();
  }

  get kind(): WorkerLine["kind"] {
    return this.#line.kind;
  }

  send<Name extends CommandName>(name: Name, input: Commands[Name]["input"]): Promise<Commands[Name]["output"]> {
    if (STICKY.includes(name)) this.#sticky.set(name, input);
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#pending.set(id, { name, input, resolve: resolve as (output: unknown) => void });
      this.#post(id, name, input);
    });
  }

  /** In sight or not: a tab that comes into sight pings at once, one out of sight seldom. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (this.#isAside) return;
    this.#endPing();
    if (isVisible) this.#ping();
    else this.#pingLater();
  }

  /**
   * The page is about to be frozen, and a worker of its own with it, which would keep the lead. It has no turn any more
   * in which to give that up, so it is ended; what it was writing is undone, and the next leader's polls bring it
   * again.
   */
  putAside(): void {
    this.#isAside = true;
    // When the page goes on, a timer would run out before the answer is heard.
    this.#endPing();
    if (this.kind === "dedicated") this.#line.close();
  }

  /** The page is put aside, or about to be. */
  get isAside(): boolean {
    return this.#isAside;
  }

  /** The page goes on. */
  comeBack(): void {
    if (!this.#isAside) return;
    this.#isAside = false;
    this.#events.event({ kind: "missed" });
    if (this.kind === "dedicated") this.#next(this.#generation);
    else this.setVisible(this.#isVisible);
  }

  #endPing(): void {
    this.#environment.clearTimer(this.#pingTimer);
    this.#pingId = undefined;
  }

  close(): void {
    this.#environment.clearTimer(this.#pingTimer);
    this.#line.close();
  }

  #open(): WorkerLine {
    const { openWorker, hasSharedWorkers, build } = this.#environment;
    const generation = this.#generation;
    const kind = hasSharedWorkers && generation < MAX_SHARED ? "shared" : "dedicated";
    return openWorker(kind, `earshot ${build} ${generation}`, {
      message: (data) => {
        if (generation === this.#generation) this.#hear(data);
      },
      failed: () => {
        // An error of a worker that has answered is one of its own bugs, not a failure to load.
        if (generation === this.#generation && !this.#hasAnswered && kind === "shared") this.#next(MAX_SHARED);
      },
    });
  }

  #ping(): void {
    const id = this.#nextId++;
    this.#pingId = id;
    this.#post(id, "ping", { inSight: this.#isVisible && !this.#isAside });
    const withinMs = this.#hasAnswered ? ANSWER_WITHIN_MS : START_WITHIN_MS;
    this.#pingTimer = this.#environment.setTimer(() => this.#next(this.#generation + 1), withinMs);
  }

  #hearPong(output: Commands["ping"]["output"]): void {
    // What the one before stored last it may not have told.
    if (!this.#hasAnswered && this.#generation > 0) this.#events.event({ kind: "missed" });
    this.#hasAnswered = true;
    this.#pingId = undefined;
    this.#pingLater();
    this.#events.pong(output);
  }

  #pingLater(): void {
    this.#environment.clearTimer(this.#pingTimer);
    const inMs = this.#isVisible ? PING_EVERY_MS : PING_OUT_OF_SIGHT_MS;
    this.#pingTimer = this.#environment.setTimer(() => this.#ping(), inMs);
  }

  /** Leaves a worker that does not answer, and sends to the next what waits for an answer. */
  #next(generation: number): void {
    this.#environment.clearTimer(this.#pingTimer);
    this.#line.close();
    this.#generation = generation;
    this.#hasAnswered = false;
    this.#line = this.#open();
    for (const [name, input] of this.#sticky) this.#post(this.#nextId++, name, input);
    for (const [id, { name, input, resolve }] of [...this.#pending]) {
      if (!ONCE.includes(name)) this.#post(id, name, input);
      else {
        this.#pending.delete(id);
        resolve(fail({ kind: "failed", why: { kind: "silent" } }));
      }
    }
    this.#ping();
  }

  #post(id: number, name: CommandName, input: unknown): void {
    this.#line.post({ version: CONTRACT_VERSION, id, name, input });
  }

  #hear(data: unknown): void {
    if (!isWorkerMessage(data)) return;
    if (data.kind === "event") this.#events.event(data.event);
    else if (data.id === this.#pingId) this.#hearPong(data.output as Commands["ping"]["output"]);
    else {
      this.#pending.get(data.id)?.resolve(data.output);
      this.#pending.delete(data.id);
    }
  }
}

function isWorkerMessage(data: unknown): data is WorkerMessage {
  return typeof data === "object" && data !== null && "version" in data && data.version === CONTRACT_VERSION;
}
