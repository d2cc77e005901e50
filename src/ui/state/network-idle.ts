/** The network counts as idle once no file has come for this long, ms. */
const IDLE_MS = 2_000;

/** It counts as idle after this at the latest, ms: a wall of pictures may never stop loading. */
const LATEST_MS = 30_000;

/** Resolves once the page has loaded nothing for a while. */
export function networkIdle(): Promise<void> {
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
      timer = setTimeout(end, IDLE_MS);
    };
    const latest = setTimeout(end, LATEST_MS);
    const observer = new PerformanceObserver(wait);
    observer.observe({ type: "resource" });
    wait();
  });
}
