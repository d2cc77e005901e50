let drawn: (() => void) | undefined;

/** Resolves when the first rows, or what the view shows instead, are on the screen. */
export const firstRows = new Promise<void>((resolve) => (drawn = resolve));

/** Marks the first rows as part of the page. What waits for them starts after that frame. */
export function firstRowsDrawn(): void {
  afterNextPaint(() => drawn?.());
}

/** Resolves when the page is idle; if the browser can't tell (Safari), after a second. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Missing in Safari, whatever the types say.
    const idle = globalThis.requestIdleCallback as typeof globalThis.requestIdleCallback | undefined;
    if (idle) idle(() => resolve(), { timeout: 5_000 });
    else setTimeout(resolve, 1_000);
  });
}

/** How long to wait for a frame, ms: none comes if the page is hidden. */
const WITHIN_MS = 100;

/**
 * Runs something in its own task once all changes so far are on the screen, so as not to delay that frame. While the
 * page is hidden no frames are drawn, so it runs at once.
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

/** The result of some work; undefined if it takes longer. */
export async function within<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
