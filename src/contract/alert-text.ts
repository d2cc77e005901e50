import { oneLine } from "./body-text";
import { stripBidiControls } from "./strip-bidi-controls";

/** Systems cut long texts at different lengths, and some drop a notification that is far too long. In characters. */
const LONGEST_TITLE = 120;
const LONGEST_BODY = 600;

/** Text of a message as the title of a notification: a single line of plain text, cut to length. */
export function titleText(text: string): string {
  return cut(stripBidiControls(oneLine(text)).trim(), LONGEST_TITLE);
}

/** The same for the text under the title; line breaks stay. */
export function bodyLines(text: string): string {
  return cut(stripBidiControls(text).trim(), LONGEST_BODY);
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Cut by code points, so that no half of a surrogate pair is left.
  return `${[...text].slice(0, length - 1).join("")}…`;
}
