import { oneLine } from "../message/body-text";

/** Systems cut long texts anyway, each at another length; some drop a notification that is far too long. */
const LONGEST_TITLE = 120;
const LONGEST_BODY = 600;

/** Signs that turn the direction of the text behind them: in a notification they would reach what is not the message's. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Text of a message as the title of a notification: one line, cut, and plain text whatever stands in it. */
export function titleText(text: string): string {
  return cut(oneLine(text).replace(BIDI_CONTROLS, "").trim(), LONGEST_TITLE);
}

/** The same for what stands under the title; line breaks stay. */
export function bodyLines(text: string): string {
  return cut(text.replace(BIDI_CONTROLS, "").trim(), LONGEST_BODY);
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // By signs, so that no half of one is left.
  return `${[...text].slice(0, length - 1).join("")}…`;
}
