/**
 * Text without the characters that turn the direction by hand, which make a program's name end like a document's. Letters
 * that run from right to left stay, and run so.
 */
export function unturned(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, "");
}
