import type { FeedPlace } from "../state/scroll-anchor";

/** The first rows, drawn by the first script. */
export interface FirstScreen {
  /** Resolves once nobody scrolls in them, or holds them. */
  still(): Promise<void>;
  /** Takes them out of the page. */
  leave(): Left;
}

/** How the first rows were left. */
export interface Left {
  /** Where one had scrolled to; absent = at the top. */
  place: FeedPlace | undefined;
  /** Puts the focus back, once the app's rows are in the page. */
  focus(): void;
}

/** What was done with the first rows, for the app to carry out: a key, or a press, which is repeated in the app's rows. */
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

/** Keeps a press, to be repeated in its turn. */
export function notePress(repeat: () => void): void {
  meanwhile.push(repeat);
}

/** What is still to be carried out, in the order in which it was done; no more is kept. */
export function doneMeanwhile(): Meanwhile[] {
  removeEventListener("keydown", noteKey);
  const done = meanwhile;
  meanwhile = [];
  return done;
}

/**
 * Puts the app into the place of the first rows, within one task: what it draws then is on the screen already. Presses are
 * repeated at once where no keys came between them, for which more has to be loaded.
 * @param draw puts the app into the page
 */
export function takeOver(screen: FirstScreen, draw: (place: FeedPlace | undefined) => void): void {
  const isSameFeed = shown?.hash === location.hash;
  const { place, focus } = screen.leave();
  shown = undefined;
  draw(isSameFeed ? place : undefined);
  focus();
  // One went elsewhere meanwhile: what was done was meant for other rows.
  if (!isSameFeed) meanwhile = [];
  if (meanwhile.some((done) => typeof done !== "function")) return;
  for (const repeat of meanwhile.splice(0)) if (typeof repeat === "function") repeat();
}
