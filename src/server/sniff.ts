/** The type of a file by its first bytes: content type, and extension of its address (docs/protocol.md §2). */
export interface FileKind {
  type: string;
  /** With its dot. */
  extension: string;
}

/** How many of the first bytes are read: more than every signature below needs. */
const SNIFF_BYTES = 3_072;

/** Signatures at the start of a file, or at an offset, written as Latin-1. */
const SIGNATURES: readonly (readonly [mark: string, type: string, extension: string, at?: number])[] = [
  ["\x89PNG\r\n\x1a\n", "image/png", ".png"],
  ["\xff\xd8\xff", "image/jpeg", ".jpg"],
  ["GIF8", "image/gif", ".gif"],
  ["WEBP", "image/webp", ".webp", 8],
  ["ftypavif", "image/avif", ".avif", 4],
  ["ftypheic", "image/heic", ".heic", 4],
  ["BM", "image/bmp", ".bmp"],
  ["%PDF-", "application/pdf", ".pdf"],
  ["PK\x03\x04", "application/zip", ".zip"],
  ["\x1f\x8b", "application/gzip", ".gz"],
  ["ftypM4A", "audio/x-m4a", ".m4a", 4],
  ["ftypqt", "video/quicktime", ".mov", 4],
  ["ftyp", "video/mp4", ".mp4", 4],
  ["\x1aE\xdf\xa3", "video/webm", ".webm"],
  ["ID3", "audio/mpeg", ".mp3"],
  ["\xff\xfb", "audio/mpeg", ".mp3"],
  ["OggS", "application/ogg", ".ogg"],
  ["fLaC", "audio/flac", ".flac"],
  ["WAVE", "audio/wav", ".wav", 8],
  ["\xfe\xff", "text/plain; charset=utf-16be", ".txt"],
  ["\xff\xfe", "text/plain; charset=utf-16le", ".txt"],
];

/** Tags that make a text that starts with them HTML, as in browsers (mimesniff.spec.whatwg.org). */
const HTML_START =
  /^\s*(<!--|<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>])/i;

/** Whether the byte never occurs in text (the same standard). */
function isBinaryByte(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}

function isJson(text: string, isWhole: boolean): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  // A cut-off text can't be parsed, so only its beginning is checked.
  if (!isWhole) return /^\s*(\{\s*"|\[\s*(["{[\]\d-]|true|false|null))/.test(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function textKind(text: string, isWhole: boolean, charset: string): FileKind {
  const isXml = /^\s*<\?xml/.test(text);
  if (HTML_START.test(text)) return { type: `text/html; charset=${charset}`, extension: ".html" };
  if (/^\s*<svg[\s>]/i.test(text) || (isXml && /<svg[\s>]/i.test(text)))
    return { type: "image/svg+xml", extension: ".svg" };
  if (isXml) return { type: "text/xml; charset=utf-8", extension: ".xml" };
  if (isJson(text, isWhole)) return { type: "application/json", extension: ".json" };
  return { type: `text/plain; charset=${charset}`, extension: ".txt" };
}

/** Finds the type of a file. Its name matters only to tell Android packages from other ZIP archives. */
export function sniffFile(content: Uint8Array, name = ""): FileKind {
  if (/\.apk$/i.test(name)) return { type: "application/vnd.android.package-archive", extension: ".apk" };
  const bytes = Buffer.from(content.subarray(0, SNIFF_BYTES));
  const latin = bytes.toString("latin1");
  const [, type, extension] = SIGNATURES.find(([mark, , , at = 0]) => latin.startsWith(mark, at)) ?? [];
  if (type !== undefined && extension !== undefined) return { type, extension };
  // An empty file has no characters, so it has no charset.
  if (bytes.length === 0) return { type: "text/plain", extension: ".txt" };
  if (bytes.some(isBinaryByte)) return { type: "application/octet-stream", extension: ".bin" };
  const isWhole = content.length <= SNIFF_BYTES;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return textKind(text, isWhole, "utf-8");
  } catch {
    return textKind(latin, isWhole, "iso-8859-1");
  }
}

/** The type under which a file is served: HTML as plain text, so that nothing uploaded runs (docs/protocol.md §2). */
export function servedType(content: Uint8Array, name: string): string {
  return sniffFile(content, name).type.replace("text/html", "text/plain");
}
