// Base64 of text or bytes, without the platform's limits: btoa takes only Latin-1, spread arguments overflow the stack.

/** Encodes a text's UTF-8 bytes in the standard alphabet, with padding. */
export function encodeBase64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Decodes standard base64 with padding; `undefined` if the text is anything else. */
export function decodeBase64(text: string): Uint8Array | undefined {
  // This is checked by hand, as atob also accepts blanks and missing padding.
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Encodes a text's UTF-8 bytes in the URL-safe alphabet, without padding. */
export function encodeBase64Url(text: string): string {
  return encodeBase64(text)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "");
}

/** Decodes URL-safe base64 without padding; `undefined` if the text is anything else. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  const padding = "=".repeat((4 - (text.length % 4)) % 4);
  return decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/") + padding);
}
