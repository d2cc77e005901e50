import { absoluteUrl } from "../../../contract";

/**
 * Schemes that a press may open. `click` and `url` are unvalidated (docs/protocol.md §14). Whatever runs code in this
 * origin (`javascript:`, `data:`, `blob:`), reads local files, or starts arbitrary programs (`intent:`, `vbscript:`,
 * `ms-…:`) is excluded by not being listed.
 */
export const OPENABLE_SCHEMES = [
  "http",
  "https",
  "mailto",
  "tel",
  "sms",
  "geo",
  "xmpp",
  "matrix",
  "irc",
  "ircs",
  "ntfy",
];

/**
 * The link for an address from a message, normalised by the URL parser (which drops tabs and line breaks that hide a
 * scheme); undefined if it must not be opened (docs/protocol.md §14).
 */
export function safeLink(text: string): string | undefined {
  const url = absoluteUrl(text);
  return url !== undefined && OPENABLE_SCHEMES.includes(url.protocol.slice(0, -1)) ? url.href : undefined;
}

/** The host a link leads to, shown before a press; undefined if it has none. */
export function linkHost(href: string): string | undefined {
  return absoluteUrl(href)?.host || undefined;
}
