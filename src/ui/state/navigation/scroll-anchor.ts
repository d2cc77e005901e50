import type { Position } from "../../../contract";

/** The scroll position of a list: an item, and how far below the upper edge of the screen it begins, px. */
export interface ScrollAnchor {
  key: string;
  offset: number;
}

/** Where a list should go; an empty key means its top. */
export interface Landing extends ScrollAnchor {
  /** Whether the scroller stays put and the list moves to it. */
  stays?: boolean | undefined;
}

/** Where a feed should go: to a position, preferably that of a message. */
export interface Goal extends Position, Partial<Landing> {
  /** How many messages are above it, if known or assumed. */
  index?: number;
}

/** A place in a feed: a message, and its position, by which a neighbour is found if the message is gone. */
export type FeedPlace = ScrollAnchor & Position;

/** The state of a history step: its name, and the positions of its feeds. It never leaves the browser. */
export interface HistoryStep {
  step?: string;
  /** By the name of the pane; `of` identifies the feed. */
  places?: Readonly<Record<string, FeedPlace & { of: string }>>;
}

const stepNow = (): HistoryStep => (history.state as HistoryStep | null) ?? {};

let names = 0;

/** A name for a history step, unique across reloads, because history steps outlive those. */
export function newStepName(): string {
  return `${String(Math.round(performance.timeOrigin))}-${String(++names)}`;
}

/** This history step's name, stored in it. */
export function historyStep(): string {
  const state = stepNow();
  const { step = newStepName() } = state;
  if (state.step === undefined) history.replaceState({ ...state, step }, "");
  return step;
}

/** A pane's scroll position at this step, before a reload or before it left the cache; undefined at the top. */
export function placeAtStep(pane: string, of: string): FeedPlace | undefined {
  const place = stepNow().places?.[pane];
  return place?.of === of ? place : undefined;
}

/** Stores the scroll position of a pane's feed in this history step; undefined = at its top. */
export function notePlace(pane: string, of: string, place: FeedPlace | undefined): void {
  const state = stepNow();
  const { [pane]: before, ...others } = state.places ?? {};
  if (!before && !place) return;
  history.replaceState({ ...state, places: place ? { ...others, [pane]: { ...place, of } } : others }, "");
}
