/** A finger that has moved less than this, px, may still be about to press. */
const SLOP = 10;

/** A move is a swipe only if it goes this much further sideways than vertically, so scrolling never swipes. */
const CLEARLY = 1.5;

/** How far a row must be swiped to trigger its action: this fraction of its width, but no more than this many px. */
const MEANT_PART = 0.35;
const MEANT_MOST = 140;

/** The kind of touch, by how far it has moved since it began, px. */
export function kindOfMove(dx: number, dy: number): "undecided" | "swipe" | "other" {
  if (Math.hypot(dx, dy) < SLOP) return "undecided";
  return Math.abs(dx) > CLEARLY * Math.abs(dy) ? "swipe" : "other";
}

/** Whether a row of this width, px, was swiped far enough. */
export function isMeant(dx: number, width: number): boolean {
  return Math.abs(dx) >= Math.min(MEANT_PART * width, MEANT_MOST);
}
