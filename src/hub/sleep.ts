import type { Clock } from "./environment";

/** Waits this long, ms. Resolves at once if `ms` isn't positive, and early when aborted. */
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
