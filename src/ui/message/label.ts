import { bodyText, hasInk, oneLine, plainMarkdown, stripBidiControls } from "../../contract";
import type { MessageEvent } from "../../protocol";

/** Name of a button, tag or file on one line; invisible characters are spelt out. */
export function label(text: string): string {
  return hasInk(text) ? stripBidiControls(oneLine(text)) : visible(text).trim() || "…";
}

/** A body as one line without formatting; empty for bytes and for text without visible characters. */
export function bodyLine(event: MessageEvent): string {
  const body = bodyText(event);
  if (!("text" in body)) return "";
  return stripBidiControls(oneLine(body.kind === "markdown" ? plainMarkdown(body.text) : body.text));
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A text's direction by its first letter, as in browsers. */
export function directionOf(text: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

/** A longer tag ends in an ellipsis, so that there is room for one on a phone. */
const LONGEST_TAG = 16;

/** A label for use in a sentence of ours, with its text direction isolated. */
export function quoted(text: string): string {
  const shown = label(text);
  return RIGHT_TO_LEFT.test(shown) ? `\u2068${shown}\u2069` : shown;
}

/** Characters that are invisible or change text direction, except line breaks, tabs and emoji variation selectors. */
const UNSEEN =
  /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]/gu;

/** Text with its invisible characters written as escapes, such as `\u202e`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** How many characters of an unopenable address are shown: enough to recognise it. */
const MAX_OF_ADDRESS = 200;

/** An unopenable address for display: it may be as long as a message. */
export function shownAddress(address: string): string {
  return visible(shortened(address, MAX_OF_ADDRESS));
}

/** The beginning of a text, never cut within a character. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** The same with an ellipsis, if that isn't all. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${beginningOf(text, length)}…` : text;
}

/** A message as received, unknown fields included, formatted. The escapes of `visible` keep it the same JSON. */
export function rawJson(event: MessageEvent): string {
  return visible(JSON.stringify(event, null, 2));
}

/** The tags that fit beside a topic, without its own name, and how many are left out. @param room letters */
export function fittingTags(
  tags: readonly string[],
  names: readonly string[],
  room: number,
): { shown: string[]; more: number } {
  const same = new Set(names.map((name) => name.toLowerCase()));
  const telling = tags.filter((tag) => !same.has(tag.toLowerCase()));
  let left = room;
  // Separators take about three letters.
  const beyond = telling.findIndex((tag) => (left -= Math.min(tag.length, LONGEST_TAG) + 3) < 0);
  const shown = beyond < 0 ? telling : telling.slice(0, beyond);
  return { shown, more: telling.length - shown.length };
}
