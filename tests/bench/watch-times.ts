/** What a page records. Times are those of `performance.now()`, ms since its navigation began. */
export interface Times {
  /** The durations of the main thread's tasks of over 50 ms. */
  longTasks: number[];
  /** When each wanted text was in the page and its frame was drawn. */
  seen: Record<string, number>;
  /** Starts to watch for a text. */
  want(text: string): void;
}

declare global {
  var times: Times | undefined;
}

/** The page writes this to its console when its first row was drawn, followed by the milliseconds. */
export const FIRST_ROW = "first row after";

/** The page writes this once the app's own buttons are there, and so all of it works. */
export const APP = "app after";

/** The loader of this process makes inner functions call `__name`, which is missing in a page that gets their text. */
export const NAMES_FOR_PAGES = "globalThis.__name = (named) => named;";

/**
 * Runs in a page before its own scripts, with `FIRST_ROW` and `APP`. It is sent there as text, so it uses nothing from
 * outside.
 */
export function watchTimes([firstRow, app]: readonly [string, string]): void {
  const wanted = new Set<string>();
  const times: Times = {
    longTasks: [],
    seen: {},
    want(text) {
      wanted.add(text);
      check();
    },
  };
  globalThis.times = times;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) times.longTasks.push(entry.duration);
  }).observe({ type: "longtask", buffered: true });

  /** Runs once the current frame was drawn, before everything else that waits for it. */
  const afterFrame = (run: () => void): void => {
    requestAnimationFrame(() => void scheduler.postTask(run, { priority: "user-blocking" }));
  };
  let isFirstFound = false;
  let isAppFound = false;
  function check(): void {
    if (!isFirstFound && document.querySelector("article")) {
      isFirstFound = true;
      afterFrame(() => console.debug(firstRow, performance.now()));
    }
    if (!isAppFound && document.querySelector("#app:not([aria-busy]) main header button")) {
      isAppFound = true;
      afterFrame(() => console.debug(app, performance.now()));
    }
    if (wanted.size === 0) return;
    const text = document.body.textContent;
    for (const one of wanted) {
      if (!text.includes(one)) continue;
      wanted.delete(one);
      afterFrame(() => (times.seen[one] = performance.now()));
    }
  }
  new MutationObserver(check).observe(document, { childList: true, subtree: true, characterData: true });
}
