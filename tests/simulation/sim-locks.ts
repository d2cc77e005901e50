import type { Schedule } from "./schedule";

interface Request {
  lane: string;
  grant(): void;
}

interface Holder {
  lane: string;
  rob(): void;
}

/** The Web Locks of one origin, as far as they are used: one name, a queue, stealing, and the death of a holder. */
export class SimLocks {
  readonly #schedule: Schedule;
  #holder: Holder | undefined;
  #queue: Request[] = [];

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** As one worker sees them. */
  managerFor(lane: string): LockManager {
    const request = (_name: string, options: LockOptions, callback: () => Promise<unknown>): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const later = (run: () => void): void => this.#schedule.enqueue(lane, run);
        const grant = (): void => {
          const holder: Holder = {
            lane,
            rob: () => later(() => reject(new DOMException("stolen", "AbortError"))),
          };
          this.#holder = holder;
          later(() => {
            void callback().then((value) => {
              if (this.#holder === holder) this.#pass();
              resolve(value);
            });
          });
        };
        if (options.steal) {
          this.#holder?.rob();
          this.#holder = undefined;
        }
        if (!this.#holder) return grant();
        const waiting = { lane, grant };
        this.#queue.push(waiting);
        options.signal?.addEventListener("abort", () => {
          const isWaiting = this.#queue.includes(waiting);
          this.#queue = this.#queue.filter((one) => one !== waiting);
          if (isWaiting) reject(new DOMException("left", "AbortError"));
        });
      });
    return { request } as unknown as LockManager;
  }

  /** A worker died: what it held is free. */
  forget(lane: string): void {
    this.#queue = this.#queue.filter((waiting) => waiting.lane !== lane);
    if (this.#holder?.lane === lane) this.#pass();
  }

  #pass(): void {
    this.#holder = undefined;
    this.#queue.shift()?.grant();
  }
}
