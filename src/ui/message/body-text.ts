import { messageText, type MessageEvent } from "../../protocol";

/** What there is to show of a message's body. */
export type BodyText =
  | { kind: "plain" | "markdown"; text: string }
  /** Text of which nothing would be seen: zero-width characters, fillers, blanks. */
  | { kind: "unseen"; characters: number }
  | { kind: "bytes"; sizeBytes: number };

/**
 * Text as it may be shown: line ends of all sorts become one, and control characters stand as their pictures (␛), so
 * that they are seen and do nothing. Tabs stay.
 */
export function printable(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, "\n")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/\u007f/g, "\u2421")
    .replace(/[\u0080-\u009f]/g, "\ufffd");
}

/** Text for a title, a name or a tag: as above, on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/[\n\t]+/g, " ");
}

/** Anything but blanks and what Unicode leaves undrawn: zero-width characters, fillers, marks of direction. */
const INK = /[^\s\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/u;

/** Whether anything of a text is seen when it is shown. */
export function hasInk(text: string): boolean {
  return INK.test(text);
}

/** The title that a message brings, on one line; undefined where it has none of which anything is seen. */
export function ownTitle({ title }: MessageEvent): string | undefined {
  return title !== undefined && hasInk(title) ? oneLine(title).trim() : undefined;
}

/**
 * Body of a message as it can be shown: decoded (docs/protocol.md §6, `encoding`), Markdown only where the message says
 * so (§14). Untrusted text still: whoever shows it must escape or sanitise it.
 */
export function bodyText(event: MessageEvent): BodyText {
  const content = messageText(event);
  if (content.kind === "bytes") return content;
  if (content.text !== "" && !hasInk(content.text)) return { kind: "unseen", characters: [...content.text].length };
  // Parameters such as `; charset=utf-8` do not change what it is.
  const type = event.content_type?.split(";")[0]?.trim().toLowerCase();
  return { kind: type === "text/markdown" ? "markdown" : "plain", text: printable(content.text) };
}
