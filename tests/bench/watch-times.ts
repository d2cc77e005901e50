/** What a page notes of itself. Times are those of `performance.now()`, ms since its navigation began. */
export interface Times {
  /** Tasks of the main thread of over 50 ms: how long each took. */
  longTasks: number[];
  /** When a wanted text stood in the page and its frame was drawn. */
  seen: Record<string, number>;
  /** From here on it watches for a text. */
  want(text: string): void;
}

declare global {
  var times: Times | undefined;
}

/** What a page says on its console, with the milliseconds behind it, when its first row was drawn. */
export const FIRST_ROW = "first row after";

/** The same of the app's own buttons, which stand there once all of it works. */
export const APP = "app after";

/** The loader of this process names inner functions by a call of `__name`, which a page that gets their text lacks. */
export const NAMES_FOR_PAGES = "globalThis.__name = (named) => named;";

/** Runs in a page before its own scripts, with `FIRST_ROW` and `APP`. Stands alone, as it is sent there as text. */
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

  /** Runs once the frame that is being made was drawn, in front of all else that waits for that. */
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
    if (!isAppFound && document.querySelector("main header button")) {
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
