/** Longer addresses, in characters, aren't links, as browsers treat them differently and they are unreadable. */
const LONGEST_LINK = 4096;

/** Reads a text as an absolute address, or undefined. */
export function absoluteUrl(text: string): URL | undefined {
  if (text.length > LONGEST_LINK || !URL.canParse(text)) return undefined;
  return new URL(text);
}
