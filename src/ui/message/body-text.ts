import type { MessageEvent } from "../../protocol";

/** What there is to show of a message's body. */
export type BodyText =
  | { kind: "plain"; text: string }
  | { kind: "markdown"; text: string }
  /** Bytes that are no text (UnifiedPush). */
  | { kind: "binary"; sizeBytes: number; base64: string };

/** Line ends of all sorts become one; other control characters (but for tabs) are shown by their pictures, not obeyed. */
function printable(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, "\n")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/\u007f/g, "\u2421")
    .replace(/[\u0080-\u009f]/g, "\ufffd");
}

/** One line of text for titles, names and tags: as `printable`, line breaks and tabs become spaces. */
export function oneLine(text: string): string {
  return printable(text).replace(/[\n\t]+/g, " ");
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  } catch {
    // `atob` throws for what is no base64; such a body is shown as it came.
    return undefined;
  }
}

function decodeUtf8(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // A fatal decoder throws for bytes that are no text: the caller shows them as such.
    return undefined;
  }
}

/**
 * Body of a message as it can be shown: base64 is decoded when it holds text (protocol, section 6, `encoding`), Markdown
 * only where the message says so. Untrusted text still: whoever shows it must escape or sanitise it.
 */
export function bodyText(event: Pick<MessageEvent, "message" | "encoding" | "content_type">): BodyText {
  let text = event.message;
  if (event.encoding === "base64") {
    const bytes = decodeBase64(text);
    const decoded = bytes && decodeUtf8(bytes);
    if (bytes && (decoded === undefined || decoded.includes("\u0000"))) {
      return { kind: "binary", sizeBytes: bytes.length, base64: text };
    }
    text = decoded ?? text;
  }
  // Parameters such as `; charset=utf-8` do not change what it is.
  const type = event.content_type?.split(";")[0]?.trim().toLowerCase();
  return { kind: type === "text/markdown" ? "markdown" : "plain", text: printable(text) };
}
