/** A piece of work; what it throws is reported. */
type Job = () => Promise<void>;

/** Runs jobs by key: those of one key one after the other, and those of a limited number of keys at once. */
export class KeyedQueue {
  /** The waiting jobs of every key that has some. */
  readonly #waiting = new Map<string, Job[]>();
  /** The keys whose next job can start, in the order of their turns. */
  readonly #ready: string[] = [];
  #running = 0;
  #idle: (() => void)[] = [];

  /**
   * @param atOnce number of keys at work at once
   * @param longest number of jobs that may wait for one key
   * @param report called with the errors of jobs
   */
  constructor(
    private readonly atOnce: number,
    private readonly longest: number,
    private readonly report: (error: unknown) => void,
  ) {}

  /** Adds a job to the end of its key's jobs; false if too many wait there. */
  add(key: string, job: Job): boolean {
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

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    if (this.#waiting.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #go(): void {
    while (this.#running < this.atOnce) {
      const key = this.#ready.shift();
      const jobs = key === undefined ? undefined : this.#waiting.get(key);
      const job = jobs?.shift();
      if (key === undefined || !jobs || !job) break;
      this.#running++;
      job()
        .catch(this.report)
        .finally(() => this.#finish(key, jobs));
    }
    if (this.#waiting.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #finish(key: string, jobs: readonly Job[]): void {
    this.#running--;
    if (jobs.length > 0) this.#ready.push(key);
    else this.#waiting.delete(key);
    this.#go();
  }
}
