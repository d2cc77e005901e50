import { hasInk, oneLine, stripBidiControls } from "../../contract";
import { visible } from "./body/raw-json";

/** Name of a button, tag or file on one line; invisible characters are spelt out. */
export function label(text: string): string {
  return hasInk(text) ? stripBidiControls(oneLine(text)) : visible(text).trim() || "…";
}

/** Letters that run from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A text's direction by its first letter, as in browsers. */
export function directionOf(text: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

/** A label inside one of our sentences, with its text direction isolated. */
export function quoted(text: string): string {
  const said = label(text);
  return RIGHT_TO_LEFT.test(said) ? `\u2068${said}\u2069` : said;
}
