/**
 * Schemes that a press may open. `click` and `url` of a message come unvalidated (protocol, section 14); everything that
 * runs code in this origin (`javascript:`, `data:`, `blob:`), reads local files, or starts arbitrary programs
 * (`intent:`, `vbscript:`, `ms-…:`) is left out by not being named here.
 */
const OPENABLE_SCHEMES: ReadonlySet<string> = new Set([
  "http:",
  "https:",
  "mailto:",
  "tel:",
  "sms:",
  "geo:",
  "xmpp:",
  "matrix:",
  "irc:",
  "ircs:",
  "ntfy:",
]);

/** Longer addresses are no links: browsers differ in what they do with them, and nobody can read them. */
const LONGEST_LINK = 4096;

/** Reads a text as an absolute address, or undefined. */
function parse(text: string): URL | undefined {
  if (text.length > LONGEST_LINK || !URL.canParse(text)) return undefined;
  return new URL(text);
}

/**
 * The address to put into a link for what a message points at, normalised by the URL parser (which drops the tabs and
 * line breaks that hide a scheme); undefined when it must not be opened (protocol, section 14).
 */
export function safeLink(text: string): string | undefined {
  const url = parse(text);
  return url !== undefined && OPENABLE_SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** As `safeLink`, for http and https alone: what may be loaded as an image or file. */
export function webLink(text: string): string | undefined {
  const url = parse(text);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : undefined;
}

/** The host that a link leads to, for showing before it is pressed; undefined for links without one. */
export function linkHost(href: string): string | undefined {
  return parse(href)?.host || undefined;
}

/**
 * Whether an address lies on the topic server itself, so that loading it tells nobody anything new (DESIGN, section 2,
 * promise 7). Same origin, since a path prefix may be shared by a reverse proxy.
 */
export function isOnServer(href: string, serverAddress: string): boolean {
  const url = parse(href);
  const server = parse(serverAddress);
  return url !== undefined && server !== undefined && server.origin !== "null" && url.origin === server.origin;
}
