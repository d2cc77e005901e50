import type { Random } from "./random";

/** More tasks than this at one moment mean that something never ends. */
const MAX_TASKS_AT_ONCE = 200_000;

interface Task {
  run: () => void;
  /** Whether the database enqueued it; such tasks run even if their actor is dead. */
  isDatabase: boolean;
}

interface Entry {
  actor: string;
  atMs: number;
  order: number;
  run: () => void;
  /** Whether it keeps running while its actor is suspended, as data on a network does. */
  isOutside: boolean;
}

/** A timer to come; opaque. */
export type ScheduledTimer = Entry;

function compareEntries(a: Entry, b: Entry): number {
  return a.atMs - b.atMs || a.order - b.order;
}

const realSetImmediate = globalThis.setImmediate;
let active: Schedule | undefined;

// fake-indexeddb looks up setImmediate at each call, so this decides its order.
globalThis.setImmediate = ((run: () => void) =>
  active ? active.enqueue(active.actor, run, true) : realSetImmediate(run)) as typeof setImmediate;

/** Resolves once all pending promise callbacks, and those they queue, have run. */
const turn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** Does the same and lets the process do its other work, such as output and collecting garbage. */
const breath = (): Promise<void> => new Promise((resolve) => realSetImmediate(resolve));

/** Tasks between two breaths; a breath costs as much as a task. */
const BREATH_EVERY = 500;

/**
 * Decides at random which actor (worker, tab, the world) runs its next task; the tasks of one actor keep their order. Time
 * moves only when no actor has a task, so never during a request to the database.
 */
export class Schedule {
  /** True time, ms; clocks in the world may show another. */
  nowMs: number;
  /** The actor whose task is running; tasks that it starts belong to it. */
  actor = "world";
  tasksRun = 0;
  readonly #random: Random;
  readonly #actors = new Map<string, Task[]>();
  readonly #asleep = new Map<string, number>();
  readonly #dead = new Set<string>();
  /** Sorted by when they are due. */
  #timers: Entry[] = [];
  #ambush: { actor: string; left: number; run: () => void } | undefined;
  #order = 0;

  constructor(random: Random, startMs: number) {
    this.#random = random;
    this.nowMs = startMs;
  }

  /** Takes control of the database's order until `end`. */
  begin(): void {
    // oxlint-disable-next-line typescript/no-this-alias -- the patched function has to know whose world it is
    active = this;
  }

  end(): void {
    active = undefined;
  }

  enqueue(actor: string, run: () => void, isDatabase = false): void {
    if (this.#dead.has(actor)) {
      if (!isDatabase) return;
      actor = "ghost";
    }
    const tasks = this.#actors.get(actor);
    if (tasks) tasks.push({ run, isDatabase });
    else this.#actors.set(actor, [{ run, isDatabase }]);
  }

  after(actor: string, delayMs: number, run: () => void, isOutside = false): ScheduledTimer {
    const entry = { actor, atMs: this.nowMs + Math.max(0, delayMs), order: this.#order++, run, isOutside };
    if (!this.#dead.has(actor)) this.#timers.splice(this.#placeOf(entry), 0, entry);
    return entry;
  }

  cancel(timer: ScheduledTimer | undefined): void {
    if (!timer) return;
    const at = this.#placeOf(timer);
    if (this.#timers[at] === timer) this.#timers.splice(at, 1);
  }

  /** Index of a timer in the list, or where it would be inserted. */
  #placeOf(timer: Entry): number {
    let from = 0;
    let to = this.#timers.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (compareEntries(this.#timers[middle] as Entry, timer) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Calls back after so many more tasks of an actor, in the middle of what it does. */
  ambush(actor: string, tasks: number, run: () => void): void {
    this.#ambush = { actor, left: tasks, run };
  }

  /** Stops an actor: its tasks and timers wait. */
  suspend(actor: string): void {
    if (!this.#asleep.has(actor)) this.#asleep.set(actor, this.nowMs);
  }

  /** @param keepsTimers timers are delayed by the time asleep, instead of firing at once */
  wake(actor: string, keepsTimers = false): void {
    const sinceMs = this.#asleep.get(actor);
    if (sinceMs === undefined) return;
    this.#asleep.delete(actor);
    if (!keepsTimers) return;
    for (const timer of this.#timers) {
      if (timer.actor === actor && !timer.isOutside) timer.atMs += this.nowMs - sinceMs;
    }
    this.#timers.sort(compareEntries);
  }

  isAsleep(actor: string): boolean {
    return this.#asleep.has(actor);
  }

  /** Ends an actor without notice. Its pending database requests still complete. */
  kill(actor: string): void {
    this.#dead.add(actor);
    this.#asleep.delete(actor);
    const left = this.#actors.get(actor) ?? [];
    this.#actors.delete(actor);
    for (const { run, isDatabase } of left) if (isDatabase) this.enqueue("ghost", run, true);
    this.#timers = this.#timers.filter((timer) => timer.actor !== actor);
  }

  /** Runs everything that can happen without time passing. */
  async drain(): Promise<void> {
    await turn();
    await this.#runAll();
  }

  async #runAll(): Promise<void> {
    for (let count = 0; ; count++) {
      const ready: [actor: string, tasks: Task[]][] = [];
      for (const actor of this.#actors) if (actor[1].length > 0 && !this.#asleep.has(actor[0])) ready.push(actor);
      if (ready.length === 0) break;
      if (count > MAX_TASKS_AT_ONCE) throw new Error("the world never comes to rest");
      const [actor, tasks] = ready.length === 1 ? (ready[0] as (typeof ready)[0]) : this.#random.pick(ready);
      this.actor = actor;
      this.tasksRun += 1;
      tasks.shift()?.run();
      await (this.tasksRun % BREATH_EVERY === 0 ? breath() : turn());
      this.#spring(actor);
    }
    this.actor = "world";
  }

  /** Moves time, running timers when they are due. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    await this.drain();
    for (;;) {
      const at = this.#timers.findIndex((timer) => timer.atMs > untilMs || !this.#asleep.has(timer.actor));
      const next = this.#timers[at];
      if (!next || next.atMs > untilMs) break;
      this.#timers.splice(at, 1);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      this.enqueue(next.actor, next.run);
      await this.#runAll();
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  #spring(actor: string): void {
    const ambush = this.#ambush;
    if (!ambush || ambush.actor !== actor || --ambush.left > 0) return;
    this.#ambush = undefined;
    this.actor = "world";
    ambush.run();
  }
}
