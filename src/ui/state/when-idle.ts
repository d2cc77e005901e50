/** Resolves when the page is idle; if the browser can't tell (Safari), after a second. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Missing in Safari, whatever the types say.
    const idle = globalThis.requestIdleCallback as typeof globalThis.requestIdleCallback | undefined;
    if (idle) idle(() => resolve(), { timeout: 5_000 });
    else setTimeout(resolve, 1_000);
  });
}
