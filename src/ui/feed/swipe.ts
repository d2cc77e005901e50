/** A finger that moved less than this, px, has not decided yet; it may be about to press. */
const SLOP = 10;

/** Sideways counts only when it is clearly more than up or down: reading scrolls, and must never be caught by a swipe. */
const CLEARLY = 1.5;

/** How far a row is drawn for its action to be meant: a good part of it, or so many px on a wide one. */
const MEANT_PART = 0.35;
const MEANT_MOST = 140;

/** What a touch is about, by how far it moved since it began, px. */
export function kindOfMove(dx: number, dy: number): "undecided" | "swipe" | "other" {
  if (Math.hypot(dx, dy) < SLOP) return "undecided";
  return Math.abs(dx) > CLEARLY * Math.abs(dy) ? "swipe" : "other";
}

/** Whether a row of this width, px, was drawn far enough. */
export function isMeant(dx: number, width: number): boolean {
  return Math.abs(dx) >= Math.min(MEANT_PART * width, MEANT_MOST);
}
