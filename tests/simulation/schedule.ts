import type { Random } from "./random";

/** More tasks than this at one moment mean that something never ends. */
const MAX_TASKS_AT_ONCE = 200_000;

interface Task {
  run: () => void;
  /** Whether the database enqueued it; such tasks run even if their actor is dead. */
  isDatabase: boolean;
}

interface Actor {
  readonly name: string;
  readonly tasks: Task[];
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

/**
 * Runs all pending promise callbacks, and those they queue, for less than awaiting a promise costs; but nothing
 * inside such a callback.
 */
const settle = (process as unknown as { _tickCallback(): void })._tickCallback;

/** Tasks between two breaths, in which the process does its other work, such as output and collecting garbage. */
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
  readonly #actors = new Map<string, Actor>();
  readonly #asleep = new Map<string, number>();
  readonly #dead = new Set<string>();
  /** Sorted by when they are due. */
  #timers: Entry[] = [];
  #ambush: { actor: string; left: number; run: () => void } | undefined;
  #order = 0;
  /** Tasks that were run since time last moved. */
  #atOnce = 0;

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
    let its = this.#actors.get(actor);
    if (!its) this.#actors.set(actor, (its = { name: actor, tasks: [] }));
    its.tasks.push({ run, isDatabase });
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
    const { tasks = [] } = this.#actors.get(actor) ?? {};
    this.#actors.delete(actor);
    for (const { run, isDatabase } of tasks) if (isDatabase) this.enqueue("ghost", run, true);
    this.#timers = this.#timers.filter((timer) => timer.actor !== actor);
  }

  /** Runs everything that can happen without time passing. */
  drain(): Promise<void> {
    return this.#live(-Infinity);
  }

  /** Moves time, running timers when they are due. */
  advance(ms: number): Promise<void> {
    return this.#live(this.nowMs + ms);
  }

  /** Outside of all promise callbacks, as those of the tasks run after each. */
  #live(untilMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        try {
          if (this.#run(untilMs)) resolve();
          else realSetImmediate(go);
        } catch (thrown) {
          reject(thrown as Error);
        }
      };
      realSetImmediate(go);
    });
  }

  /** Whether it came to the end of that time, or pauses for a breath. */
  #run(untilMs: number): boolean {
    for (;;) {
      while (this.#runOne()) if (this.tasksRun % BREATH_EVERY === 0) return false;
      this.actor = "world";
      this.#atOnce = 0;
      const at = this.#timers.findIndex(({ atMs, actor }) => atMs > untilMs || !this.isAsleep(actor));
      const next = this.#timers[at];
      if (!next || next.atMs > untilMs) break;
      this.#timers.splice(at, 1);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      this.enqueue(next.actor, next.run);
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
    return true;
  }

  /** One task of an actor that has any; false if none has. */
  #runOne(): boolean {
    let count = 0;
    let ready: Actor | undefined;
    for (const actor of this.#actors.values()) {
      if (!this.#isReady(actor)) continue;
      count += 1;
      ready ??= actor;
    }
    if (!ready) return false;
    if (this.#atOnce++ > MAX_TASKS_AT_ONCE) throw new Error("the world never comes to rest");
    if (count > 1) {
      let left = this.#random.int(0, count - 1);
      for (const actor of this.#actors.values())
        if (this.#isReady(actor) && left-- === 0) {
          ready = actor;
          break;
        }
    }
    this.actor = ready.name;
    this.tasksRun += 1;
    ready.tasks.shift()?.run();
    settle();
    this.#spring(ready.name);
    return true;
  }

  #isReady({ name, tasks }: Actor): boolean {
    return tasks.length > 0 && !this.#asleep.has(name);
  }

  #spring(actor: string): void {
    const ambush = this.#ambush;
    if (!ambush || ambush.actor !== actor || --ambush.left > 0) return;
    this.#ambush = undefined;
    this.actor = "world";
    ambush.run();
  }
}
