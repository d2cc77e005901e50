import type { ScrollAnchor } from "../state/navigation/scroll-anchor";

/** The snapshot in the page. */
export interface FirstScreen {
  /** Resolves once the user neither scrolls nor presses. */
  still(): Promise<void>;
  /** Removes them from the page. */
  leave(): Left;
}

/** The state in which the user left it. */
export interface Left {
  /** Scroll position; absent = at the top. */
  place: ScrollAnchor | undefined;
  /** Puts the focus back, once the app is in the page. */
  focus(): void;
}

/** What the user did on it, to be replayed by the app: a key, or a press on the app's element in the same place. */
export type Meanwhile = KeyboardEvent | (() => void);

let shown: { screen: FirstScreen; hash: string } | undefined;
let meanwhile: Meanwhile[] = [];
const noteKey = (event: KeyboardEvent): void => {
  // What is typed into a field is handed over with it.
  if (!(event.target instanceof HTMLInputElement)) meanwhile.push(event);
};

/** Marks the snapshot as part of the page, and records keys from now on. */
export function firstScreenDrawn(screen: FirstScreen): void {
  shown = { screen, hash: location.hash };
  addEventListener("keydown", noteKey);
}

/** The snapshot in the page; undefined if there is none. */
export function firstScreen(): FirstScreen | undefined {
  return shown?.screen;
}

/** Keeps a press, to be replayed in order. */
export function notePress(repeat: () => void): void {
  meanwhile.push(repeat);
}

/** Returns the input to be replayed, in order, and stops recording. */
export function doneMeanwhile(): Meanwhile[] {
  removeEventListener("keydown", noteKey);
  const done = meanwhile;
  meanwhile = [];
  return done;
}

/**
 * Replaces the snapshot with the app in one task, so the user sees no change. Presses are replayed at once, unless keys
 * were pressed too: replaying keys needs code loaded later.
 * @param draw mounts the app
 */
export function takeOver(screen: FirstScreen, draw: (place: ScrollAnchor | undefined) => void): void {
  const isSameFeed = shown?.hash === location.hash;
  const { place, focus } = screen.leave();
  shown = undefined;
  draw(isSameFeed ? place : undefined);
  focus();
  // The user has navigated meanwhile: the input was meant for other rows.
  if (!isSameFeed) meanwhile = [];
  if (meanwhile.some((done) => typeof done !== "function")) return;
  for (const repeat of meanwhile.splice(0)) if (typeof repeat === "function") repeat();
}
