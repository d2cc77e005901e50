/** A piece of work; what it throws is reported. */
type Job = () => Promise<void>;

/** Runs jobs in lanes: those of one lane one after the other, and a limited number of lanes at once. */
export class Lanes {
  /** Waiting jobs of every lane in which there is something to do. */
  readonly #waiting = new Map<string, Job[]>();
  /** Lanes whose next job can start, in the order of their turns. */
  readonly #ready: string[] = [];
  #running = 0;
  #idle: (() => void)[] = [];

  /**
   * @param atOnce number of lanes at work at once
   * @param longest number of jobs that may wait in one lane
   * @param report called with the errors of jobs
   */
  constructor(
    private readonly atOnce: number,
    private readonly longest: number,
    private readonly report: (error: unknown) => void,
  ) {}

  /** Adds a job to the end of a lane; false when the lane is full. */
  add(lane: string, job: Job): boolean {
    const jobs = this.#waiting.get(lane);
    if (jobs && jobs.length >= this.longest) return false;
    if (jobs) jobs.push(job);
    else {
      this.#waiting.set(lane, [job]);
      this.#ready.push(lane);
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
      const lane = this.#ready.shift();
      const jobs = lane === undefined ? undefined : this.#waiting.get(lane);
      const job = jobs?.shift();
      if (lane === undefined || !jobs || !job) break;
      this.#running++;
      job()
        .catch(this.report)
        .finally(() => this.#finish(lane, jobs));
    }
    if (this.#waiting.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #finish(lane: string, jobs: readonly Job[]): void {
    this.#running--;
    if (jobs.length > 0) this.#ready.push(lane);
    else this.#waiting.delete(lane);
    this.#go();
  }
}
