// How a server reads parameters from headers and query (docs/protocol.md §3 and 13).
import { decodeBase64, latin1Bytes } from "./base64";

/** All names of each parameter, in the order in which they are tried. */
export const PARAMETERS = {
  poll: ["x-poll", "poll", "po"],
  since: ["x-since", "since", "si"],
  scheduled: ["x-scheduled", "scheduled", "sched"],
  id: ["x-id", "id"],
  message: ["x-message", "message", "m"],
  title: ["x-title", "title", "t"],
  priority: ["x-priority", "priority", "prio", "p"],
  tags: ["x-tags", "tags", "tag", "ta"],
  delay: ["x-delay", "delay", "x-at", "at", "x-in", "in"],
  click: ["x-click", "click"],
  icon: ["x-icon", "icon"],
  actions: ["x-actions", "actions", "action"],
  attach: ["x-attach", "attach", "a"],
  filename: ["x-filename", "filename", "file", "f"],
  markdown: ["x-markdown", "markdown", "md"],
  cache: ["x-cache", "cache"],
  unifiedPush: ["x-unifiedpush", "unifiedpush", "up"],
  pollId: ["x-poll-id", "poll-id"],
  sequenceId: ["x-sequence-id", "sequence-id", "sid"],
} as const satisfies Record<string, readonly string[]>;

export type ParameterName = keyof typeof PARAMETERS;

/** Headers as Node provides them: names in any case, bytes as Latin-1 characters. */
export type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>;

const utf8 = new TextDecoder();

/** Decodes a header as UTF-8; invalid bytes become U+FFFD. */
function decodeHeaderBytes(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value) || /[\u0100-\uffff]/.test(value)) return value;
  return utf8.decode(latin1Bytes(value));
}

/** The bytes of the text in an encoded word; `undefined` if the word is damaged. */
function encodedWordBytes(encoding: string, text: string): Uint8Array | undefined {
  if (encoding.toUpperCase() === "B") return decodeBase64(text);
  if (/=(?![0-9a-f]{2})|[^!-~]/i.test(text)) return undefined;
  const characters = text
    .replaceAll("_", " ")
    .replace(/=(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return latin1Bytes(characters);
}

/** The charsets that senders of encoded words use; words in others stay as they are, like damaged ones. */
const WORD_CHARSETS = ["utf-8", "iso-8859-1", "us-ascii"];

/** Decodes RFC 2047 encoded words (docs/protocol.md §3), without blanks between two of them. */
export function decodeEncodedWords(value: string): string {
  const word = /=\?([\w-]+)\?([bq])\?([^?\s]*)\?=/gi;
  const joined = value.replace(/(\?=)\s+(?==\?[\w-]+\?[bq]\?[^?\s]*\?=)/gi, "$1");
  return joined.replace(word, (whole, charset: string, encoding: string, text: string) => {
    const bytes = WORD_CHARSETS.includes(charset.toLowerCase()) ? encodedWordBytes(encoding, text) : undefined;
    if (!bytes) return whole;
    if (charset.toLowerCase() === "utf-8") return utf8.decode(bytes);
    // The decoder's "latin1" is another charset (windows-1252), so it can't be used.
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  });
}

/**
 * Whether it is the `Priority: u=1, i` that browsers send (RFC 9218), not a filter (docs/protocol.md §3, rule 4).
 */
function isHttpPriority(value: string): boolean {
  const members = value.split(",").map((member) => member.trim());
  const isMember = (member: string) => /^(u=\d|i(=\?[01])?|\d|[a-z*][\w.*-]*=.*)$/i.test(member);
  return members.every(isMember) && members.some((member) => /^(u=\d|i(=\?[01])?)$/i.test(member));
}

function headerValue(name: string, field: string | readonly string[] | undefined): string {
  const value = (typeof field === "string" ? field : (field?.[0] ?? "")).trim();
  return name === "priority" && isHttpPriority(value) ? "" : decodeEncodedWords(decodeHeaderBytes(value)).trim();
}

/** The first value of each name, in lower case, as a request may have thousands. */
function firstByName<T>(entries: Iterable<[string, T]>): Map<string, T> {
  const first = new Map<string, T>();
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    if (!first.has(key)) first.set(key, value);
  }
  return first;
}

/**
 * Reads parameters of one request by the rules of the protocol (docs/protocol.md §3): all header names in order, then
 * all query names; the first non-empty value wins, and only the first value of a repeated name counts. Names match in
 * any case (docs/protocol.md §18, C2).
 */
export function parameterReader(
  headers: HeaderFields,
  query: URLSearchParams,
): (name: ParameterName) => string | undefined {
  const fields = firstByName(Object.entries(headers));
  const pairs = firstByName(query);
  return (name) => {
    const inHeaders = PARAMETERS[name].map((alias) => headerValue(alias, fields.get(alias)));
    const inQuery = PARAMETERS[name].map((alias) => pairs.get(alias)?.trim() ?? "");
    return [...inHeaders, ...inQuery].find((value) => value !== "");
  };
}

/** The `auth` parameter, which only the query can hold (docs/protocol.md §3). */
export function readAuthParameter(query: URLSearchParams): string | undefined {
  const pairs = firstByName(query);
  return pairs.get("authorization")?.trim() || pairs.get("auth")?.trim() || undefined;
}

/** `1`, `true`, `yes` in any case are true; absent or empty is `whenAbsent` (docs/protocol.md §3, rule 3). */
export function parseBoolean(text: string | undefined, whenAbsent = false): boolean {
  return text ? /^(1|true|yes)$/i.test(text) : whenAbsent;
}

/** Encodes a value for a URL, but keeps commas and colons readable. Half a surrogate pair becomes U+FFFD. */
export function encodeValue(value: string): string {
  const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\uFFFD"));
  return encoded.replaceAll("%2C", ",").replaceAll("%3A", ":");
}

/** Writes query parameters in the given order; those without a value are left out. */
export function encodeQuery(pairs: readonly (readonly [name: string, value: string | undefined])[]): string {
  return pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value = ""]) => `${name}=${encodeValue(value)}`)
    .join("&");
}
