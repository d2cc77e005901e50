import type { MessageEvent } from "../../protocol";

/** Characters that are not seen or that turn the direction of text. Line breaks and tabs are not among them. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text in which nothing hides: unseen characters stand as `\u202e`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A message as it was received, unknown fields too, set out in lines. The escapes of `visible` leave it the same JSON. */
export function rawJson(event: MessageEvent): string {
  return visible(JSON.stringify(event, null, 2));
}
