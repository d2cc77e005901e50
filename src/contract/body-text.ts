import { addressHost, isMarkdown, messageText, type MessageEvent, type ServerAddress } from "../protocol";

/** The body of a message, ready to be shown. */
export type BodyText =
  | { kind: "plain" | "markdown"; text: string }
  /** Text without visible characters: only zero-width characters, fillers, blanks. */
  | { kind: "unseen"; characters: number }
  | { kind: "bytes"; sizeBytes: number };

/** How many control characters are shown, at most: fallback fonts draw their pictures slowly. */
const MAX_CONTROLS_SHOWN = 1_000;

/** Picture of a control character; the second set (C1) has none. */
function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  return code === 0x7f ? "\u2421" : code > 0x7f ? "\ufffd" : String.fromCharCode(0x2400 + code);
}

/** Text with uniform line ends and visible control characters (␛), up to a limit. Tabs stay. */
export function printable(text: string): string {
  let controls = 0;
  return text
    .replace(/\r\n?|\u2028|\u2029/g, "\n")
    .replace(/[^\P{Cc}\t\n\r]/gu, (control) => (controls++ < MAX_CONTROLS_SHOWN ? pictureOf(control) : ""));
}

/** Longer lines are cut, in characters: browsers take seconds to lay out a hundred thousand. */
const LONGEST_LINE = 4_096;

/** Text for a title, a name or a tag: as above, on one line. */
export function oneLine(text: string): string {
  return printable(text.slice(0, LONGEST_LINE)).replace(/[\n\t]+/g, " ");
}

/** Anything but blanks and what Unicode leaves undrawn (`DI`): zero-width characters, fillers, direction marks. */
const INK = /[^\s\u2800\ufff9-\ufffb\p{DI}]/u;

/** Whether anything of a text is visible. */
export function hasInk(text: string): boolean {
  return INK.test(text);
}

/**
 * Whether the text is only the server's placeholder (docs/protocol.md §6), while title or attachment say more.
 * @param showsFile whether the attachment is shown too
 */
export function isSaidBeside(event: MessageEvent, showsFile = true): boolean {
  const { message, attachment } = event;
  if (showsFile && attachment && message === `You received a file: ${attachment.name}`) return true;
  return message === "triggered" && ownTitle(event) !== undefined;
}

/** The title on one line, without bidi controls; undefined if none of it is visible. */
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
 * Body of a message for display: decoded (docs/protocol.md §6, `encoding`), Markdown only where the message says so
 * (§14). Still untrusted: whoever shows it must escape or sanitise it.
 */
export function bodyText(event: MessageEvent): BodyText {
  const content = messageText(event);
  if (content.kind === "bytes") return content;
  if (content.text !== "" && !hasInk(content.text)) return { kind: "unseen", characters: [...content.text].length };
  return { kind: isMarkdown(event) ? "markdown" : "plain", text: printable(content.text) };
}

/** Markdown without its marks, for places that show none: emphasis, code, headings, lists, quotes, links, images. */
export function plainMarkdown(text: string): string {
  const plain = text
    .slice(0, LONGEST_LINE)
    .replace(/^[ \t]*(?:(?:`{3,}|~{3,})[\w.+#-]*|[-*_]{3,})[ \t]*$/gm, "")
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+(\[[ xX]\][ \t])?/gm, (_, box?: string) =>
      box === undefined ? "" : box[1] === " " ? "☐ " : "☑ ",
    )
    .replace(/!?\[([^[\]\n]*)\]\((?:[^()\s]|\([^()\s]{0,200}\))*(?:[ \t](?:"[^"\n]*"|'[^'\n]*'))?\)/g, "$1")
    .replace(/<([a-z][a-z\d+.-]{1,31}:[^<>\s]*|[^<>\s@]+@[^<>\s]+)>/gi, "$1")
    // Within addresses and words, these characters aren't markup.
    .replace(/(?<!:\/\/\S{0,200})(\*\*|(?<![\p{L}\p{N}])__|~~|`{1,3}(?!`))(?=\S)([^\n]*?\S)\1/gu, "$2")
    .replace(/(?<!:\/\/\S{0,200}|[\p{L}\p{N}*_])([*_])(?=\S)([^*_\n]*\S)\1(?![\p{L}\p{N}*_])/gu, "$2")
    .trim();
  return hasInk(plain) ? plain : text.trim();
}

/** Removes bidi controls, which can disguise a file name. Right-to-left letters stay. */
export function stripBidiControls(text: string): string {
  return text.replace(/\p{Bidi_C}/gu, "");
}

/** Systems cut long texts at different lengths, and some drop overlong notifications. In characters. */
const LONGEST_TITLE = 120;
const LONGEST_BODY = 600;

/** A message's text as the title of a notification: a single line of plain text, cut to length. */
export function titleText(text: string): string {
  return cut(stripBidiControls(oneLine(text)).trim(), LONGEST_TITLE);
}

/** The same for the text under the title; line breaks stay. */
export function bodyLines(text: string): string {
  return cut(stripBidiControls(text).trim(), LONGEST_BODY);
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Cut between code points, so that no half of a surrogate pair is left.
  return `${[...text].slice(0, length - 1).join("")}…`;
}
