/** Turns a step to the right (1) or left (-1) on the screen into a step forward (1) or back (-1) in reading direction. */
export function inReadingDirection(right: -1 | 1): -1 | 1 {
  return document.documentElement.dir === "rtl" ? (right === 1 ? -1 : 1) : right;
}
