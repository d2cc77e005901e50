import type { ScrollAnchor } from "../state/navigation/scroll-anchor";

const PRESSED = "a, button, input, article, main";

/** The snapshot in the page. */
interface FirstScreen {
  /** The address that it was drawn for. */
  hash: string;
  /** Resolves once the user neither scrolls nor presses. */
  still: () => Promise<void>;
  /** Removes it. Returns its scroll position, undefined at the top, and what puts the focus back into the app. */
  leave: () => { place: ScrollAnchor | undefined; focus: () => void };
}

let shown: FirstScreen | undefined;

/** What the user did on it, to be replayed by the app: a key, or a press on the app's element in the same place. */
let meanwhile: (KeyboardEvent | (() => void))[] = [];
const noteKey = (event: KeyboardEvent): void => {
  // What is typed into a field is handed over with it.
  if (!(event.target instanceof HTMLInputElement)) meanwhile.push(event);
};

export function firstScreen(): FirstScreen | undefined {
  return shown;
}

/** The snapshot is in the page: from now on keys and presses are recorded, while links elsewhere work at once. */
export function firstScreenDrawn(target: Element): void {
  addEventListener("keydown", noteKey);
  const left = new AbortController();
  const options = { passive: true, signal: left.signal };
  const stillness = new Stillness();
  target.addEventListener("scroll", () => stillness.moved(), { ...options, capture: true });
  target.addEventListener("touchmove", () => stillness.moved(), options);
  for (const down of ["pointerdown", "touchstart"]) {
    target.addEventListener(down, () => stillness.press(true), options);
  }
  for (const up of ["pointerup", "touchend", "touchcancel"]) {
    addEventListener(up, () => stillness.press(false), options);
  }
  target.addEventListener(
    "click",
    (event) => {
      const on = event.target instanceof Element ? event.target.closest(PRESSED) : undefined;
      // Links work, and the app starts at their target; the skip link's fragment isn't one of its addresses.
      if (!on || !(event instanceof MouseEvent) || on.matches("a:not(.skip), main")) return;
      event.preventDefault();
      // Selecting text isn't a press.
      if (on.matches("article") && getSelection()?.isCollapsed === false) return;
      const find = counterpart(on, target);
      const { shiftKey, ctrlKey, metaKey } = event;
      meanwhile.push(() => find()?.dispatchEvent(new MouseEvent("click", { ...CLICK, shiftKey, ctrlKey, metaKey })));
    },
    { signal: left.signal },
  );

  target.addEventListener("submit", (event) => event.preventDefault(), { signal: left.signal });

  const leave: FirstScreen["leave"] = () => {
    left.abort();
    const place = placeOf(target);
    const focused = target.contains(document.activeElement) ? document.activeElement?.closest(PRESSED) : undefined;
    const find = focused ? counterpart(focused, target) : undefined;
    target.replaceChildren();
    target.ariaBusy = null;
    const focus = () => {
      const again = find?.();
      again?.focus({ preventScroll: true });
      if (!(focused instanceof HTMLInputElement && again instanceof HTMLInputElement && focused.value)) return;
      again.value = focused.value;
      again.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
    return { place, focus };
  };
  shown = { hash: location.hash, still: () => stillness.still(), leave };
}

/** Returns the input to be replayed, in order, and stops recording. */
export function doneMeanwhile(): typeof meanwhile {
  removeEventListener("keydown", noteKey);
  const done = meanwhile;
  meanwhile = [];
  return done;
}

/** Replaces the snapshot with the app in one task, so the user sees no change. @param draw mounts the app */
export function takeOver(screen: FirstScreen, draw: (place: ScrollAnchor | undefined) => void): void {
  const isSameFeed = screen.hash === location.hash;
  const { place, focus } = screen.leave();
  shown = undefined;
  draw(isSameFeed ? place : undefined);
  focus();
  // The user has navigated meanwhile: the input was meant for other rows.
  if (!isSameFeed) meanwhile = [];
}

const CLICK = { bubbles: true, cancelable: true };

const nameOf = (element: Element): string => element.ariaLabel ?? element.textContent;

/** Finds the app's element for one in the snapshot: by id, or by name within the same message. */
function counterpart(element: Element, target: Element): () => HTMLElement | null | undefined {
  const { id, localName } = element;
  if (id) return () => document.getElementById(id);
  const row = element.closest("article")?.id;
  const name = nameOf(element);
  return () => {
    const within = row ? document.getElementById(row) : target;
    return [...(within?.querySelectorAll<HTMLElement>(localName) ?? [])].find((other) => nameOf(other) === name);
  };
}

/** The first message on the screen, unless the feed is at its top. */
function placeOf(target: Element): ScrollAnchor | undefined {
  const scroller = target.querySelector("main .scroller");
  if (!scroller || scroller.scrollTop <= 0) return undefined;
  const { top } = scroller.getBoundingClientRect();
  for (const row of scroller.querySelectorAll("article")) {
    const box = (row.parentElement ?? row).getBoundingClientRect();
    if (box.bottom > top) return { key: row.id.slice("row ".length), offset: box.top - top };
  }
  return undefined;
}

/** After how long without movement, ms, scrolling counts as over. */
const SETTLED_MS = 100;

/** How long the app waits for that, at most, ms; by then the snapshot's rows run out. */
const LONGEST_FLING_MS = 2_000;

/** Knows whether the user scrolls or presses: replacing the element then would stop a fling or lose the press. */
export class Stillness {
  #movedAtMs = -Infinity;
  #isPressed = false;

  /** A finger or button went down on it, or up. */
  press(isDown: boolean): void {
    this.#isPressed = isDown;
    this.moved();
  }

  /** The page has scrolled, or a finger on it has moved. */
  moved(): void {
    this.#movedAtMs = performance.now();
  }

  /** Resolves once the user does neither, or after the longest wait. */
  async still(): Promise<void> {
    const untilMs = performance.now() + LONGEST_FLING_MS;
    for (let nowMs = performance.now(); nowMs < untilMs; nowMs = performance.now()) {
      const settledMs = (this.#isPressed ? nowMs : this.#movedAtMs) + SETTLED_MS;
      const leftMs = Math.min(settledMs, untilMs) - nowMs;
      if (leftMs <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, leftMs));
    }
  }
}
