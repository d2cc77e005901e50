/** How long to wait for a frame, ms: none comes if the page is hidden meanwhile. */
const WITHIN_MS = 100;

/**
 * Runs something in its own task once all changes made so far are on the screen, so that it doesn't delay that frame.
 * Runs it at once while the page is hidden, as no frames are drawn then.
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
