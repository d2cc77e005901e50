import { keyText, type MessageKey } from "../../../contract";
import { keep, kept } from "../../state/device-storage";
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

/** The most messages whose text stays expanded; the oldest are collapsed again. */
const MOST = 300;

/** The messages that the user expanded, kept across reloads. */
export class Expanded {
  /** The oldest choice comes first. */
  #keys = $state.raw<ReadonlySet<string>>(new Set(kept(EXPANDED)?.split("\n").filter(Boolean).slice(-MOST)));

  has(key: MessageKey): boolean {
    return this.#keys.has(keyText(key));
  }

  set(key: MessageKey, on: boolean): void {
    const name = keyText(key);
    const names = [...this.#keys].filter((other) => other !== name);
    if (on) names.push(name);
    this.#keys = new Set(names.slice(-MOST));
    keep(EXPANDED, [...this.#keys].join("\n"));
  }
}

let expanded: Expanded | undefined;

/** The page's `Expanded`, created by the first call. Call it during a component's setup, see `feedCacheOf`. */
export function expandedMessages(): Expanded {
  return (expanded ??= new Expanded());
}
