import { isUtf8 } from "node:buffer";

/** The type of a file by its first bytes: content type, and extension of its address (docs/protocol.md §2). */
export interface FileKind {
  type: string;
  /** With its dot. */
  extension: string;
}

/** How many of the first bytes are read: more than every signature below needs. */
const SNIFF_BYTES = 3_072;

const kind = (type: string, extension: string): FileKind => ({ type, extension });

/** Signatures at the start of a file, written as Latin-1; an entry with an offset is found there instead. */
const SIGNATURES: readonly { mark: string; at?: number; kind: FileKind }[] = [
  { mark: "\x89PNG\r\n\x1a\n", kind: kind("image/png", ".png") },
  { mark: "\xff\xd8\xff", kind: kind("image/jpeg", ".jpg") },
  { mark: "GIF87a", kind: kind("image/gif", ".gif") },
  { mark: "GIF89a", kind: kind("image/gif", ".gif") },
  { mark: "WEBP", at: 8, kind: kind("image/webp", ".webp") },
  { mark: "ftypavif", at: 4, kind: kind("image/avif", ".avif") },
  { mark: "ftypheic", at: 4, kind: kind("image/heic", ".heic") },
  { mark: "BM", kind: kind("image/bmp", ".bmp") },
  { mark: "\x00\x00\x01\x00", kind: kind("image/x-icon", ".ico") },
  { mark: "II*\x00", kind: kind("image/tiff", ".tiff") },
  { mark: "MM\x00*", kind: kind("image/tiff", ".tiff") },
  { mark: "%PDF-", kind: kind("application/pdf", ".pdf") },
  { mark: "PK\x03\x04", kind: kind("application/zip", ".zip") },
  { mark: "\x1f\x8b", kind: kind("application/gzip", ".gz") },
  { mark: "7z\xbc\xaf\x27\x1c", kind: kind("application/x-7z-compressed", ".7z") },
  { mark: "Rar!\x1a\x07", kind: kind("application/x-rar-compressed", ".rar") },
  { mark: "\xfd7zXZ\x00", kind: kind("application/x-xz", ".xz") },
  { mark: "BZh", kind: kind("application/x-bzip2", ".bz2") },
  { mark: "\x28\xb5\x2f\xfd", kind: kind("application/zstd", ".zst") },
  { mark: "ustar", at: 257, kind: kind("application/x-tar", ".tar") },
  { mark: "ftypM4A", at: 4, kind: kind("audio/x-m4a", ".m4a") },
  { mark: "ftypqt", at: 4, kind: kind("video/quicktime", ".mov") },
  { mark: "ftyp", at: 4, kind: kind("video/mp4", ".mp4") },
  { mark: "\x1aE\xdf\xa3", kind: kind("video/webm", ".webm") },
  { mark: "ID3", kind: kind("audio/mpeg", ".mp3") },
  { mark: "\xff\xfb", kind: kind("audio/mpeg", ".mp3") },
  { mark: "OggS", kind: kind("application/ogg", ".ogg") },
  { mark: "fLaC", kind: kind("audio/flac", ".flac") },
  { mark: "WAVE", at: 8, kind: kind("audio/wav", ".wav") },
  { mark: "\x7fELF", kind: kind("application/x-elf", "") },
  { mark: "SQLite format 3\x00", kind: kind("application/vnd.sqlite3", ".sqlite") },
  { mark: "\x00asm", kind: kind("application/wasm", ".wasm") },
];

/** Byte order marks; if one is the beginning of another, the longer comes first. */
const BYTE_ORDER_MARKS = [
  ["\x00\x00\xfe\xff", "utf-32be"],
  ["\xff\xfe\x00\x00", "utf-32le"],
  ["\xfe\xff", "utf-16be"],
  ["\xff\xfe", "utf-16le"],
] as const;

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

/** Two or more lines of the same number of cells, at least two. */
function isTable(text: string, separator: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  const cells = lines[0]?.split(separator).length ?? 0;
  return lines.length > 1 && cells > 1 && lines.every((line) => line.split(separator).length === cells);
}

const plainText = (charset: string) => kind(`text/plain; charset=${charset}`, ".txt");

/** Whether the bytes are UTF-8, the last character perhaps cut off. */
function isStartOfUtf8(bytes: Buffer, isWhole: boolean): boolean {
  return isUtf8(bytes) || (!isWhole && [1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, -cut))));
}

/** Constructs that may come before the first element of an SVG: how each begins, in lower case, and ends. */
const PROLOG = [
  ["<?xml", ">"],
  ["<!--", "-->"],
  ["<!doctype svg", ">"],
] as const;

/** An SVG from its first element on. Without a pattern, as a pattern would try every way to divide the text. */
function withoutProlog(text: string): string {
  let rest = text;
  for (;;) {
    const start = rest.slice(0, "<!doctype svg".length).toLowerCase();
    const part = PROLOG.find(([begins]) => start.startsWith(begins));
    const end = part ? rest.indexOf(part[1], part[0].length) : -1;
    if (!part || end < 0) return rest;
    rest = rest.slice(end + part[1].length).trimStart();
  }
}

function textKind(text: string, isWhole: boolean, charset: string): FileKind {
  const start = text.trimStart();
  if (HTML_START.test(text)) return kind(`text/html; charset=${charset}`, ".html");
  if (/^<svg[\s>]/i.test(withoutProlog(start))) return kind("image/svg+xml", ".svg");
  if (start.startsWith("<?xml")) return kind("text/xml; charset=utf-8", ".xml");
  if (isJson(text, isWhole)) return kind("application/json", ".json");
  if (start.startsWith("{\\rtf")) return kind("text/rtf", ".rtf");
  if (start.startsWith("BEGIN:VCARD")) return kind("text/vcard", ".vcf");
  if (start.startsWith("BEGIN:VCALENDAR")) return kind("text/calendar", ".ics");
  if (start.startsWith("WEBVTT")) return kind("text/vtt", ".vtt");
  if (/^#!\s*\/\S*(\/|\/env\s+)python/.test(text)) return kind("text/x-python", ".py");
  // The last line may be cut off, so it says nothing about the table.
  const lines = isWhole ? text : text.slice(0, text.lastIndexOf("\n") + 1);
  if (isTable(lines, ",")) return kind("text/csv", ".csv");
  if (isTable(lines, "\t")) return kind("text/tab-separated-values", ".tsv");
  return plainText(charset);
}

/** Finds the type of a file. Its name matters only to tell Android packages from other ZIP archives. */
export function sniffFile(content: Uint8Array, name = ""): FileKind {
  if (/\.apk$/i.test(name)) return kind("application/vnd.android.package-archive", ".apk");
  const bytes = Buffer.from(content.subarray(0, SNIFF_BYTES));
  const latin = bytes.toString("latin1");
  const found = SIGNATURES.find(({ mark, at = 0 }) => latin.startsWith(mark, at));
  if (found) return { ...found.kind, extension: found.kind.extension || ".bin" };
  // An empty file has no characters, so it has no charset.
  if (bytes.length === 0) return kind("text/plain", ".txt");
  const wide = BYTE_ORDER_MARKS.find(([mark]) => latin.startsWith(mark))?.[1];
  if (wide) return plainText(wide);
  if (bytes.some(isBinaryByte)) return kind("application/octet-stream", ".bin");
  const isWhole = content.length <= SNIFF_BYTES;
  return isStartOfUtf8(bytes, isWhole)
    ? textKind(bytes.toString("utf8"), isWhole, "utf-8")
    : textKind(latin, isWhole, "iso-8859-1");
}

/** The type under which a file is served: HTML as plain text, so that nothing uploaded runs (docs/protocol.md §2). */
export function servedType(content: Uint8Array, name: string): string {
  return sniffFile(content, name).type.replace("text/html", "text/plain");
}
