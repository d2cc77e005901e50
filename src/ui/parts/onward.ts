/** A step to the right (1) or left (-1) on the screen as a step along the direction in which the page is read. */
export function onward(right: -1 | 1): -1 | 1 {
  return document.documentElement.dir === "rtl" ? (right === 1 ? -1 : 1) : right;
}
