/**
 * Removes the control characters that change the direction of text, with which a program's name can end like a
 * document's. Right-to-left letters stay, and still run from right to left.
 */
export function stripBidiControls(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, "");
}
