// Request headers that a proxy in front of a topic server asks for.
import { fail, ok, type Result } from "./result";

/** By name, as the user wrote it. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** Proxies refuse more and longer headers themselves. */
const MAX_HEADERS = 10;
const MAX_CHARACTERS = 4_000;

/** A name (a token of RFC 9110), a colon, and a value of printable characters. */
const HEADER =
  /^([\w!#$%&'*+.^`|~-]+)[ \t]*:[ \t]*([\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)$/;

/** Names that browsers silently drop. `Authorization` is for the sign-in, and `__proto__` is no ordinary property. */
const RESERVED =
  /^(?:__proto__|accept-charset|accept-encoding|access-control-.*|authorization|connection|content-.*|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|x-http-method.*|x-method-override|proxy-.*|sec-.*)$/i;

/** Names that the protocol reads (docs/protocol.md §3 and 13): they would change which messages come or are sent. */
const OF_PROTOCOL =
  /^(?:x-)?(?:poll|po|poll-id|since|si|scheduled|sched|id|message|m|title|ti|t|priority|prio|p|tags?|ta|delay|at|in|click|icon|actions?|attach|a|filename|file|f|markdown|md|cache|unifiedpush|up|sequence-id|sid|call|email|e-?mail|mail|e|firebase|template|tpl)$/i;

/** Reads headers, one a line. An error is the wrong line, from 1; `0` = too many. */
export function readExtraHeaders(text: string): Result<ExtraHeaders, number> {
  const headers: [string, string][] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const [, name = "", value = ""] = HEADER.exec(line.trim()) ?? [];
    if (name === "" || RESERVED.test(name) || OF_PROTOCOL.test(name)) return fail(at + 1);
    headers.push([name, value]);
  }
  if (headers.length > MAX_HEADERS || text.length > MAX_CHARACTERS) return fail(0);
  return ok(Object.fromEntries(headers));
}

/** The headers as one types them. */
export function writeExtraHeaders(headers: ExtraHeaders): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** Whether each of these is a header that a page may send. */
export function areExtraHeaders(headers: ExtraHeaders): boolean {
  const read = readExtraHeaders(writeExtraHeaders(headers));
  return read.ok && JSON.stringify(read.value) === JSON.stringify(headers);
}
