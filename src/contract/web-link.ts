/** Longer addresses, in characters, aren't links, as browsers treat them differently and they are unreadable. */
const LONGEST_LINK = 4096;

/** Reads a text as an absolute address, or undefined. */
export function absoluteUrl(text: string): URL | undefined {
  if (text.length > LONGEST_LINK) return undefined;
  try {
    // `URL.canParse` of Node 20, once it is compiled, refuses letters such as ü.
    return new URL(text);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * The address of a text for http and https alone: what may be loaded as an image or file. Normalised by the URL parser;
 * undefined when it must not be requested (docs/protocol.md §14).
 */
export function webLink(text: string): string | undefined {
  const url = absoluteUrl(text);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : undefined;
}
