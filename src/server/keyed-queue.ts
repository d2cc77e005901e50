import type { HostClock } from "./clock";

/** A piece of work; what it throws is reported. It may ask to be run again after some seconds, before others of its key. */
export type KeyedJob = () => Promise<number | undefined>;

/** Runs jobs by key: those of one key one after the other, and those of a limited number of keys at once. */
export class KeyedQueue {
  /** The waiting jobs of every key that has some. */
  readonly #waiting = new Map<string, KeyedJob[]>();
  /** The keys whose next job can start, in the order of their turns. */
  readonly #ready: string[] = [];
  #running = 0;
  #idle: (() => void)[] = [];

  /**
   * @param atOnce number of keys at work at once
   * @param longest number of jobs that may wait for one key
   * @param environment its `report` is called with the errors of jobs
   */
  constructor(
    private readonly atOnce: number,
    private readonly longest: number,
    private readonly environment: { clock: HostClock; report: (error: unknown) => void },
  ) {}

  /** Adds a job to the end of its key's jobs; false if too many wait there. */
  add(key: string, job: KeyedJob): boolean {
    const jobs = this.#waiting.get(key);
    if (jobs && jobs.length >= this.longest) return false;
    if (jobs) jobs.push(job);
    else {
      this.#waiting.set(key, [job]);
      this.#ready.push(key);
      this.#go();
    }
    return true;
  }

  get #isIdle(): boolean {
    return this.#running === 0 && this.#ready.length === 0;
  }

  /** Resolves when nothing runs, and nothing waits but for a time. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #go(): void {
    while (this.#running < this.atOnce) {
      const key = this.#ready.shift();
      const jobs = key === undefined ? undefined : this.#waiting.get(key);
      const job = jobs?.shift();
      if (key === undefined || !jobs || !job) break;
      this.#running++;
      void job()
        .catch(this.environment.report)
        .then((againAfterS) => this.#finish(key, jobs, job, againAfterS ?? undefined));
    }
    if (!this.#isIdle) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #finish(key: string, jobs: KeyedJob[], job: KeyedJob, againAfterS: number | undefined): void {
    this.#running--;
    if (againAfterS !== undefined) {
      jobs.unshift(job);
      const stop = this.environment.clock.every(againAfterS, () => {
        stop();
        this.#ready.push(key);
        this.#go();
      });
    } else if (jobs.length > 0) this.#ready.push(key);
    else this.#waiting.delete(key);
    this.#go();
  }
}

/** Runs long work one step per turn of the event loop, for all callers together, so that other work runs in between. */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn, which is never this one. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#go);
    });
  }

  readonly #go = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#go);
  };
}
