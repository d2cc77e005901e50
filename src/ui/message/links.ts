import { absoluteUrl } from "../../contract";

/**
 * Schemes that a press may open. `click` and `url` of a message come unvalidated (docs/protocol.md §14); everything
 * that runs code in this origin (`javascript:`, `data:`, `blob:`), reads local files, or starts arbitrary programs
 * (`intent:`, `vbscript:`, `ms-…:`) is left out by not being named here.
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
 * The address to put into a link for what a message points at, normalised by the URL parser (which drops the tabs and
 * line breaks that hide a scheme); undefined when it must not be opened (docs/protocol.md §14).
 */
export function safeLink(text: string): string | undefined {
  const url = absoluteUrl(text);
  return url !== undefined && OPENABLE_SCHEMES.includes(url.protocol.slice(0, -1)) ? url.href : undefined;
}

/** The host that a link leads to, for showing before it is pressed; undefined for links without one. */
export function linkHost(href: string): string | undefined {
  return absoluteUrl(href)?.host || undefined;
}
