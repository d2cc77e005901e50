// Bytes as base64, for files and links. Separate from `src/protocol/base64.ts`, which would lengthen the first load.

/** Encodes bytes in the standard alphabet, with padding. */
export function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** @throws DOMException if the text is no base64 */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
