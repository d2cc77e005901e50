/**
 * Removes the control characters that change the direction of text, with which a program's name can end like a
 * document's, and which in a notification would affect text outside the message. Right-to-left letters stay, and still
 * run from right to left.
 */
export function stripBidiControls(text: string): string {
  return text.replace(/\p{Bidi_C}/gu, "");
}
