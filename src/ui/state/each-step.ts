const SECOND_MS = 1000;

/** Looked at so often at least, ms: while a device sleeps, timers stand still. */
export const LOOK_WITHIN_MS = 15 * SECOND_MS;

/** Tells of each new step of so many ms while the page is in sight, and when it comes back; returns what ends that. */
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
