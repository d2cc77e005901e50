import type { BrowserContext, Page } from "@playwright/test";
import { NAMES_FOR_PAGES } from "../bench/watch-times";

/** When texts came onto the screen: ms since the navigation of the page began, taken once their frame was drawn. */
interface Screen {
  firstWordsMs?: number;
  seen: Record<string, number>;
  /** Starts to look for a text. */
  want(text: string): void;
}

declare global {
  var screenWatch: Screen | undefined;
}

/** How often the test asks a page for what it has seen, ms. It does not change what the page has noted. */
const ASK_EVERY_MS = 20;

/**
 * Runs in a page before its own scripts. It is sent there as text, so it uses nothing from outside.
 *
 * @param wanted texts to look for from the beginning
 */
function watchScreen(wanted: readonly string[]): void {
  const open = new Set(wanted);
  const screen: Screen = {
    seen: {},
    want(text) {
      open.add(text);
      check();
    },
  };
  globalThis.screenWatch = screen;
  const afterFrame = (run: () => void): void => {
    requestAnimationFrame(() => void scheduler.postTask(run, { priority: "user-blocking" }));
  };
  let hasWords = false;
  function check(): void {
    // Before the document has a body.
    if (!(document.body as HTMLElement | null)) return;
    if (!hasWords && document.body.innerText.trim() !== "") {
      hasWords = true;
      afterFrame(() => (screen.firstWordsMs = performance.now()));
    }
    for (const text of open) {
      // `innerText` is only what is displayed, but has the page laid out, so it is asked when the text is there at all.
      if (!document.body.textContent.includes(text) || !document.body.innerText.includes(text)) continue;
      open.delete(text);
      afterFrame(() => (screen.seen[text] = performance.now()));
    }
  }
  new MutationObserver(check).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
  });
}

/** Opens a tab that notes when these texts come onto its screen. */
export async function openTab(context: BrowserContext, ...wanted: string[]): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript({ content: NAMES_FOR_PAGES });
  await page.addInitScript(watchScreen, wanted);
  return page;
}

/** Looks for a text from now on. */
export const lookFor = (page: Page, text: string): Promise<void> =>
  page.evaluate((text) => globalThis.screenWatch?.want(text), text);

/**
 * When a text that was looked for was on the screen, ms since 1970 (`performance.timeOrigin` + `performance.now()`);
 * undefined if it was not there in time.
 */
export async function seenAt(page: Page, text: string, withinMs: number): Promise<number | undefined> {
  const end = performance.now() + withinMs;
  do {
    const at = await page.evaluate((text) => {
      const ms = globalThis.screenWatch?.seen[text];
      return ms === undefined ? undefined : performance.timeOrigin + ms;
    }, text);
    if (at !== undefined) return at;
    await page.waitForTimeout(ASK_EVERY_MS);
  } while (performance.now() < end);
  return undefined;
}

/** When the navigation of the page began, ms since 1970. */
export const beganAt = (page: Page): Promise<number> => page.evaluate(() => performance.timeOrigin);

/** The time by the clock of `seenAt`. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

/** How often a text is on the screen. */
export const timesOnScreen = (page: Page, text: string): Promise<number> =>
  page.evaluate((text) => document.body.innerText.split(text).length - 1, text);
