import type { Position } from "../../protocol";

/** Where a list stands: an item, and how far below the upper edge of the screen it begins, px. */
export interface ScrollAnchor {
  key: string;
  offset: number;
}

/** Where a list is to go; without a key, to its top. */
export interface Landing extends ScrollAnchor {
  /** The scroller stays where it is, and the list comes to it. */
  stays?: boolean | undefined;
}

/** What a feed is to go to: a position, best that of a message. */
export interface Goal extends Position, Partial<Landing> {
  /** How many messages stand above it, where that is known or wanted so. */
  index?: number;
}

/** A place in a feed: a message, and its position, by which its neighbour is found should it be gone. */
export type FeedPlace = ScrollAnchor & Position;

/** What a step of the browser's history knows: its name, and where the feeds stood that it showed. It never leaves the browser. */
export interface Step {
  step?: string;
  /** By the name of the pane; `of` says of which feed. */
  places?: Readonly<Record<string, FeedPlace & { of: string }>>;
}

const stepNow = (): Step => (history.state as Step | null) ?? {};

let steps = 0;

/** Names this step of the browser's history, and remembers the name in it. Unique over reloads, which steps outlive. */
export function historyStep(): string {
  const state = stepNow();
  if (state.step !== undefined) return state.step;
  const step = `${String(Math.round(performance.timeOrigin))}-${String(++steps)}`;
  history.replaceState({ ...state, step }, "");
  return step;
}

/** Where a pane's feed stood at this step, before the page was loaded anew or the feed given up; undefined at its top. */
export function placeAtStep(pane: string, of: string): FeedPlace | undefined {
  const place = stepNow().places?.[pane];
  return place?.of === of ? place : undefined;
}

/** Notes in this step of the history where a pane's feed stands; undefined = at its top. */
export function notePlace(pane: string, of: string, place: FeedPlace | undefined): void {
  const state = stepNow();
  const { [pane]: before, ...others } = state.places ?? {};
  if (!before && !place) return;
  history.replaceState({ ...state, places: place ? { ...others, [pane]: { ...place, of } } : others }, "");
}
