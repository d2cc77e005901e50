import type { Clock } from "./environment";

/** Waits, ms; not at all if there is nothing to wait for, and no longer once aborted. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clock.clearTimer(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = clock.setTimer(end, ms);
    signal?.addEventListener("abort", end);
  });
}
