import type { FeedPlace } from "../feed/place";

/** What was done with the first rows until the app took their place. */
export interface Done {
  /** Where one had scrolled to; absent = at the top. */
  place: FeedPlace | undefined;
  /** Carries out what was pressed, and puts the focus back, once the app's rows are in the page. */
  repeat(): void;
}

/** The first rows, drawn by the first script. */
export interface FirstScreen {
  /** Resolves once nobody scrolls in them. */
  still(): Promise<void>;
  /** Takes them out of the page. */
  leave(): Done;
}

let shown: FirstScreen | undefined;
let isTakenOver = false;
let keys: KeyboardEvent[] = [];
const note = (event: KeyboardEvent): void => void keys.push(event);

/** Tells that the first rows stand in the page, and keeps the keys that are pressed from now on. */
export function firstScreenDrawn(screen: FirstScreen): void {
  shown = screen;
  addEventListener("keydown", note);
}

/** The first rows that stand in the page; undefined where the app draws its own. */
export function firstScreen(): FirstScreen | undefined {
  return shown;
}

/** The keys that were pressed while the first rows stood there alone; no more are kept. */
export function keysMeanwhile(): KeyboardEvent[] {
  removeEventListener("keydown", note);
  const kept = keys;
  keys = [];
  return kept;
}

/** Whether the rows that are being drawn take the place of others: all that the screen shows of them belongs to one frame then. */
export function isTakingOver(): boolean {
  return isTakenOver;
}

/**
 * Puts the app into the place of the first rows, within one task: what it draws then is on the screen already.
 * @param draw puts the app into the page
 */
export function takeOver(screen: FirstScreen, draw: (place: FeedPlace | undefined) => void): void {
  const done = screen.leave();
  shown = undefined;
  isTakenOver = true;
  try {
    draw(done.place);
  } finally {
    isTakenOver = false;
  }
  done.repeat();
}
