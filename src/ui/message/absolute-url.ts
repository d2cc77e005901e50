/** Longer addresses are no links: browsers differ in what they do with them, and nobody can read them. */
const LONGEST_LINK = 4096;

/** Reads a text as an absolute address, or undefined. */
export function absoluteUrl(text: string): URL | undefined {
  if (text.length > LONGEST_LINK || !URL.canParse(text)) return undefined;
  return new URL(text);
}
