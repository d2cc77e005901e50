/** The parts of the Web Locks API that the election uses: one lock, a queue, stealing, and the death of a holder. */
export class FakeLocks {
  #holder: { reject: (reason: unknown) => void; release: () => void } | undefined;
  readonly #queue: (() => void)[] = [];

  /** The lock manager as a worker sees it. */
  readonly manager = {
    request: (_name: string, options: LockOptions, callback: () => Promise<unknown>) =>
      new Promise((resolve, reject) => {
        const grant = (): void => {
          const holder = { reject, release: () => this.#release(holder) };
          this.#holder = holder;
          void callback().then((value) => {
            holder.release();
            resolve(value);
          });
        };
        if (options.steal) {
          this.#holder?.reject(new DOMException("stolen", "AbortError"));
          this.#holder = undefined;
        }
        if (!this.#holder) return grant();
        this.#queue.push(grant);
        options.signal?.addEventListener("abort", () => {
          const index = this.#queue.indexOf(grant);
          if (index >= 0) this.#queue.splice(index, 1);
          reject(new DOMException("left", "AbortError"));
        });
      }),
  } as unknown as LockManager;

  #release(holder: object): void {
    if (this.#holder !== holder) return;
    this.#holder = undefined;
    this.#queue.shift()?.();
  }
}

/** Grants the lock when `granted` says so. */
export function locksThat(granted: (lead: () => void) => void): LockManager {
  const request = (_name: string, _options: LockOptions, hold: () => Promise<unknown>) =>
    new Promise<void>(() => granted(() => void hold()));
  return { request } as unknown as LockManager;
}

/** Another hub has the lead, and keeps it. */
export const NEVER_GRANTED = locksThat(() => undefined);
