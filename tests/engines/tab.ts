import { expect } from "@playwright/test";
import type { EngineWindow, Key, Point } from "./engine";

/** How a test describes elements of the page. */
export interface Target {
  css: string;
  /** Its whole label, else its whole text. */
  name?: string;
  /** Part of its text. */
  text?: string;
  /** CSS of an element around it. */
  within?: string;
}

/** An element on the screen. */
export interface Seen {
  text: string;
  name: string;
  /** The value of a field, or whether a box is ticked. */
  value: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** A press on its middle would reach it. */
  isOnTop: boolean;
  isFocused: boolean;
  isEnabled: boolean;
}

export const button = (name: string, within?: string): Target => ({
  css: "button, [role=button], [role=menuitem], [role=tab]",
  name,
  ...(within !== undefined && { within }),
});
export const field = (name: string, within?: string): Target => ({
  css: "input, textarea, select",
  name,
  ...(within !== undefined && { within }),
});
export const heading = (name: string): Target => ({ css: "h1, h2", name });
/** A message in the feed. */
export const message = (text: string): Target => ({ css: "[role=feed] article", text });
export const dialog = (name: string): Target => ({ css: "dialog[open]", name });
/** Elements with exactly this text. */
export const words = (text: string, within = "body"): Target => ({ css: "*", name: text, within });
export const DIALOG = "dialog[open]";
/** The heading of the view, with its menu. */
export const VIEW = "main > header";

/** Runs in the page. */
function seenIn({ css, name, text, within }: Target): Seen[] {
  const trim = (words: string | null | undefined) => (words ?? "").replace(/\s+/g, " ").trim();
  const nameOf = (element: Element): string => {
    const own = element.getAttribute("aria-label");
    if (own !== null) return trim(own);
    const ids = element.getAttribute("aria-labelledby")?.split(" ");
    if (ids) return trim(ids.map((id) => document.getElementById(id)?.textContent).join(" "));
    const labels = "labels" in element ? (element.labels as NodeListOf<Element> | null) : undefined;
    if (labels?.[0]) return trim(labels[0].textContent);
    return trim(element.textContent);
  };
  const roots = within === undefined ? [document] : [...document.querySelectorAll(within)];
  const fits = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0 || !element.checkVisibility({ visibilityProperty: true })) return false;
    if (name !== undefined && nameOf(element) !== name) return false;
    return text === undefined || trim(element.textContent).includes(text);
  };
  const found = [...new Set(roots.flatMap((root) => [...root.querySelectorAll(css)]))].filter(fits);
  // If several elements around each other match, the innermost is meant.
  const meant = found.filter((element) => !found.some((other) => other !== element && element.contains(other)));
  return meant.map((element) => {
    // A dialog may be longer than the screen.
    if (meant.length === 1 && element.closest("dialog")) element.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return {
      text: trim(element.textContent),
      name: nameOf(element),
      value: "checked" in element && element.checked ? "checked" : "value" in element ? String(element.value) : "",
      x,
      y,
      width,
      height,
      isOnTop: top !== null && (element.contains(top) || top.contains(element)),
      isFocused: document.activeElement === element,
      isEnabled: !element.matches(":disabled"),
    };
  });
}

/** An element seen at the same place this many times in a row stands still. */
const STILL = 3;

/** How long a test waits for something, ms: retries after an outage are some seconds apart. */
const PATIENCE_MS = 20_000;

/** Looks at a page and operates it; every method waits until it can succeed. */
export class Tab {
  readonly window: EngineWindow;
  /** Errors of the pages that it showed, see `app-copy.ts`. */
  readonly trouble: string[] = [];
  isClosed = false;

  constructor(window: EngineWindow) {
    this.window = window;
  }

  async goto(url: string): Promise<void> {
    await this.#noteTrouble();
    await this.window.goto(url);
  }

  async reload(): Promise<void> {
    await this.#noteTrouble();
    await this.window.reload();
  }

  async close(): Promise<void> {
    await this.#noteTrouble();
    this.isClosed = true;
    await this.window.close();
  }

  async #noteTrouble(): Promise<void> {
    const noted = await this.window.run(() => (globalThis as { trouble?: string[] }).trouble?.splice(0) ?? []);
    this.trouble.push(...noted);
  }

  /** The matching elements on the screen now. */
  seen(target: Target): Promise<Seen[]> {
    return this.window.run(seenIn, target as { css: string });
  }

  /** Waits until so many elements match. */
  async shows(target: Target, times = 1, withinMs = PATIENCE_MS): Promise<void> {
    await expect
      .poll(async () => (await this.seen(target)).length, { message: describe(target), timeout: withinMs })
      .toBe(times);
  }

  /** Waits until at least one element matches; resolves to the first. */
  async first(target: Target, withinMs = PATIENCE_MS): Promise<Seen> {
    let first: Seen | undefined;
    await expect
      .poll(async () => ([first] = await this.seen(target)).length, { message: describe(target), timeout: withinMs })
      .toBeGreaterThan(0);
    if (!first) throw new Error(`${describe(target)} is not seen`);
    return first;
  }

  /** Presses it with the pointer, once it stands still and nothing covers it. */
  async press(target: Target): Promise<void> {
    let at: Point | undefined;
    const places: string[] = [];
    await expect
      .poll(
        async () => {
          const [one, ...more] = await this.seen(target);
          if (!one) return "not seen";
          if (more.length > 0) return `seen ${more.length + 1} times`;
          if (!one.isEnabled) return "disabled";
          if (!one.isOnTop) return "covered";
          places.push([one.x, one.y, one.width, one.height].join());
          at = { x: one.x + one.width / 2, y: one.y + one.height / 2 };
          const last = places.slice(-STILL);
          return last.length === STILL && new Set(last).size === 1 ? "still" : "moving";
        },
        { message: `to press ${describe(target)}`, timeout: PATIENCE_MS, intervals: [50] },
      )
      .toBe("still");
    if (at) await this.window.press(at);
  }

  /** Replaces the text of a field. */
  async fill(target: Target, text: string): Promise<void> {
    await this.press(target);
    await this.window.key("Control", "a");
    await this.window.type(text);
    await expect.poll(async () => (await this.first(target)).value, describe(target)).toBe(text);
  }

  /** Presses keys one after the other. */
  async keys(...keys: (Key | (string & {}))[]): Promise<void> {
    for (const key of keys) await this.window.key(key);
  }

  /** Waits until it has the focus. */
  async hasFocus(target: Target): Promise<void> {
    await expect
      .poll(async () => (await this.seen(target)).some(({ isFocused }) => isFocused), `focus on ${describe(target)}`)
      .toBe(true);
  }

  /** Waits until a function that runs in the page returns this value. */
  async answers<Value>(work: () => Value | Promise<Value>, value: Value, withinMs = PATIENCE_MS): Promise<void> {
    await expect.poll(() => this.window.run(work), { timeout: withinMs }).toEqual(value);
  }
}

const describe = ({ css, name, text, within }: Target): string =>
  [css, name !== undefined && `"${name}"`, text !== undefined && `with "${text}"`, within && `in ${within}`]
    .filter(Boolean)
    .join(" ");
