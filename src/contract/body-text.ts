import { addressHost, messageText, type MessageEvent, type ServerAddress } from "../protocol";
import { stripBidiControls } from "./strip-bidi-controls";

/** The body of a message, ready to be shown. */
export type BodyText =
  | { kind: "plain" | "markdown"; text: string }
  /** Text without visible characters: only zero-width characters, fillers, blanks. */
  | { kind: "unseen"; characters: number }
  | { kind: "bytes"; sizeBytes: number };

/** At most this many control characters are shown: a fallback font draws their pictures, and many take seconds. */
const MAX_CONTROLS_SHOWN = 1_000;

/** Picture of a control character; there is none of the second set (C1). */
function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  return code === 0x7f ? "\u2421" : code > 0x7f ? "\ufffd" : String.fromCharCode(0x2400 + code);
}

/**
 * Text as it may be shown: line ends of all sorts become one, and control characters are replaced by their pictures (␛),
 * so that they are seen and do nothing; after many of them, the rest are left out. Tabs stay.
 */
export function printable(text: string): string {
  let controls = 0;
  return text
    .replace(/\r\n?|\u2028|\u2029/g, "\n")
    .replace(/[^\P{Cc}\t\n\r]/gu, (control) => (controls++ < MAX_CONTROLS_SHOWN ? pictureOf(control) : ""));
}

/** Longer lines are cut, characters: browsers take seconds to lay out one of a hundred thousand. */
const LONGEST_LINE = 4_096;

/** Text for a title, a name or a tag: as above, on one line. */
export function oneLine(text: string): string {
  return printable(text.slice(0, LONGEST_LINE)).replace(/[\n\t]+/g, " ");
}

/** Anything but blanks and what Unicode leaves undrawn (`DI`): zero-width characters, fillers, marks of direction. */
const INK = /[^\s\u2800\ufff9-\ufffb\p{DI}]/u;

/** Whether anything of a text is seen when it is shown. */
export function hasInk(text: string): boolean {
  return INK.test(text);
}

/**
 * Whether a message's text is only the server's own text for an empty message (docs/protocol.md §6), while the title or
 * the attachment's card says the same or more.
 */
export function isSaidBeside(event: MessageEvent): boolean {
  const { message, attachment } = event;
  if (attachment && message === `You received a file: ${attachment.name}`) return true;
  return message === "triggered" && ownTitle(event) !== undefined;
}

/**
 * The title of a message, on one line and without characters that turn its direction; undefined if it has none, or none
 * with visible characters.
 */
export function ownTitle({ title }: MessageEvent): string | undefined {
  return title !== undefined && hasInk(title) ? stripBidiControls(oneLine(title)).trim() : undefined;
}

/** Title that a message is shown with (docs/protocol.md §14): its own, else the topic's name, else `<host>/<topic>`. */
export function shownTitle(
  event: MessageEvent,
  origin: { address: ServerAddress; topic: string; name?: string | undefined },
): string {
  return ownTitle(event) ?? origin.name ?? `${addressHost(origin.address)}/${origin.topic}`;
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
