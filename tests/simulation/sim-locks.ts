import type { Schedule } from "./schedule";

interface Request {
  actor: string;
  grant(): void;
}

interface Holder {
  actor: string;
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
  managerFor(actor: string): LockManager {
    const request = (_name: string, options: LockOptions, callback: () => Promise<unknown>): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const later = (run: () => void): void => this.#schedule.enqueue(actor, run);
        const grant = (): void => {
          const holder: Holder = {
            actor,
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
        const waiting = { actor, grant };
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
  forget(actor: string): void {
    this.#queue = this.#queue.filter((waiting) => waiting.actor !== actor);
    if (this.#holder?.actor === actor) this.#pass();
  }

  #pass(): void {
    this.#holder = undefined;
    this.#queue.shift()?.grant();
  }
}
