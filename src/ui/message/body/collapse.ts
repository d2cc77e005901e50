/** Storage key of messages whose text stays expanded on this device: their keys, one a line. */
export const EXPANDED = "earshot-unfolded";

/** Lines of a body that are shown before "Show all". */
export const COLLAPSED_LINES = 12;

/** Characters per line on the narrowest screen: what fits in a dozen lines there need not be collapsed anywhere. */
const NARROWEST_LINE = 34;

/** The most a collapsed body holds: a dozen of the widest lines, and some to spare. */
export const COLLAPSED_CHARACTERS = 2400;

/** Whether a body could exceed a dozen lines on some screen, so that its height must be watched. */
export function mayNeedCollapse(text: string): boolean {
  let lines = 0;
  for (let start = 0; start <= text.length;) {
    const end = text.indexOf("\n", start);
    const length = (end < 0 ? text.length : end) - start;
    lines += Math.max(1, Math.ceil(length / NARROWEST_LINE));
    if (lines > COLLAPSED_LINES) return true;
    if (end < 0) break;
    start = end + 1;
  }
  return false;
}

/**
 * The part of a long body for a collapsed row: never half a character, and cut at the end of a word if one is near.
 * `cut`: something was left out.
 */
export function collapseText(text: string): { text: string; cut: boolean } {
  let end = text.length;
  for (let line = 0, from = 0; line <= COLLAPSED_LINES; line++) {
    const next = text.indexOf("\n", from);
    if (next < 0) {
      end = text.length;
      break;
    }
    end = next;
    from = next + 1;
  }
  if (end > COLLAPSED_CHARACTERS) {
    end = COLLAPSED_CHARACTERS;
    const space = text.lastIndexOf(" ", end);
    if (space > COLLAPSED_CHARACTERS - 80) end = space;
    else if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
  }
  return { text: text.slice(0, end), cut: end < text.length };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
