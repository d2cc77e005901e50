/** Without a file that came for so long, a page is at rest, ms. */
const REST_MS = 2_000;

/** It counts as at rest after this anyway, ms: a wall of pictures may never be. */
const LATEST_MS = 30_000;

/** Resolves once the page has loaded nothing for a while. */
export function pageAtRest(): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout>;
    const end = (): void => {
      observer.disconnect();
      clearTimeout(timer);
      clearTimeout(latest);
      resolve();
    };
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(end, REST_MS);
    };
    const latest = setTimeout(end, LATEST_MS);
    const observer = new PerformanceObserver(wait);
    observer.observe({ type: "resource" });
    wait();
  });
}
