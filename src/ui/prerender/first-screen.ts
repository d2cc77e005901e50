import type { FeedPlace } from "../state/scroll-anchor";

/** The first rows, drawn by the first script. */
export interface FirstScreen {
  /** Resolves once the user neither scrolls nor presses. */
  still(): Promise<void>;
  /** Removes them from the page. */
  leave(): Left;
}

/** The state in which the user left the first rows. */
export interface Left {
  /** Scroll position; absent = at the top. */
  place: FeedPlace | undefined;
  /** Puts the focus back, once the app's rows are in the page. */
  focus(): void;
}

/** What the user did in the first rows, for the app to replay: a key, or a press on the same element of the app's rows. */
export type Meanwhile = KeyboardEvent | (() => void);

let shown: { screen: FirstScreen; hash: string } | undefined;
let meanwhile: Meanwhile[] = [];
const noteKey = (event: KeyboardEvent): void => void meanwhile.push(event);

/** Marks the first rows as part of the page, and keeps the keys that are pressed from now on. */
export function firstScreenDrawn(screen: FirstScreen): void {
  shown = { screen, hash: location.hash };
  addEventListener("keydown", noteKey);
}

/** The prerendered rows in the page; undefined if the app draws its own. */
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
 * Replaces the first rows with the app within one task, so that the user sees no change. Presses are replayed at once,
 * unless keys were pressed as well: replaying keys needs code that is loaded later.
 * @param draw mounts the app
 */
export function takeOver(screen: FirstScreen, draw: (place: FeedPlace | undefined) => void): void {
  const isSameFeed = shown?.hash === location.hash;
  const { place, focus } = screen.leave();
  shown = undefined;
  draw(isSameFeed ? place : undefined);
  focus();
  // The user has navigated in the meantime: the input was meant for other rows.
  if (!isSameFeed) meanwhile = [];
  if (meanwhile.some((done) => typeof done !== "function")) return;
  for (const repeat of meanwhile.splice(0)) if (typeof repeat === "function") repeat();
}
