import { hasInk, oneLine, stripBidiControls } from "../../contract";
import { visible } from "./raw-json";

/** Name of a button, a tag or a file, on one line; if it is invisible, its characters are spelt out. */
export function label(text: string): string {
  return hasInk(text) ? stripBidiControls(oneLine(text)) : visible(text).trim() || "…";
}

/** Letters that run from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A label inside a sentence of ours: its direction ends where it ends. */
export function quoted(text: string): string {
  const said = label(text);
  return RIGHT_TO_LEFT.test(said) ? `\u2068${said}\u2069` : said;
}
