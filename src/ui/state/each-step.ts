const SECOND_MS = 1000;

/** The clock is checked at least this often, ms, as timers don't run while a device sleeps. */
export const LOOK_WITHIN_MS = 15 * SECOND_MS;

/**
 * Calls `tell` at each new step of `stepMs` while the page is visible, and when it becomes so. Returns a stop function.
 */
export function onEachStep(stepMs: number, tell: () => void): () => void {
  const stepNow = (): number => Math.floor(Date.now() / stepMs);
  let told = stepNow();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    const leftMs = Math.min(stepMs - (Date.now() % stepMs), LOOK_WITHIN_MS);
    if (document.visibilityState === "visible") timer = setTimeout(look, leftMs);
    if (stepNow() === told) return;
    told = stepNow();
    tell();
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
