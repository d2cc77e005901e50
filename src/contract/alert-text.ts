import { oneLine } from "./body-text";

/** Systems cut long texts at different lengths, and some drop a notification that is far too long. In characters. */
const LONGEST_TITLE = 120;
const LONGEST_BODY = 600;

/** These change the direction of the text after them; in a notification they would affect text outside the message. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Text of a message as the title of a notification: a single line of plain text, cut to length. */
export function titleText(text: string): string {
  return cut(oneLine(text).replace(BIDI_CONTROLS, "").trim(), LONGEST_TITLE);
}

/** The same for the text under the title; line breaks stay. */
export function bodyLines(text: string): string {
  return cut(text.replace(BIDI_CONTROLS, "").trim(), LONGEST_BODY);
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Cut by code points, so that no half of a surrogate pair is left.
  return `${[...text].slice(0, length - 1).join("")}…`;
}
