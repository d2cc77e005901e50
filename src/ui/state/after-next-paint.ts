/** A frame that is not drawn within this time, ms, is not waited for: the page may have gone out of sight. */
const WITHIN_MS = 100;

/**
 * Runs something once what was changed until now is on the screen, in a task of its own: it would make that frame late.
 * Where no frames are drawn, at once.
 */
export function afterNextPaint(run: () => void): void {
  if (document.visibilityState !== "visible") return run();
  let isDone = false;
  const once = (): void => {
    if (!isDone) run();
    isDone = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, WITHIN_MS);
}
