import { hasInk, oneLine } from "../../contract";
import { visible } from "./raw-json";

/** Name of a button, a tag or a file, on one line; if it is invisible, its characters are spelt out. */
export function label(text: string): string {
  return hasInk(text) ? oneLine(text) : visible(text).trim() || "…";
}

/** Characters that turn the direction of what follows them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Letters that run from right to left, and what turns text by hand. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A label inside a sentence of ours: its direction ends where it ends. */
export function quoted(text: string): string {
  const said = label(text);
  return RIGHT_TO_LEFT.test(said) ? `\u2068${said.replace(TURNING, "")}\u2069` : said;
}
