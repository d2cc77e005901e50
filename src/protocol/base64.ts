// Base64 of text or bytes, without the platform's limits: btoa takes only Latin-1, spread arguments overflow the stack.

/** Encodes bytes, or a text's UTF-8 bytes, in the standard alphabet, with padding. */
export function encodeBase64(given: string | Uint8Array): string {
  let binary = "";
  for (const byte of typeof given === "string" ? new TextEncoder().encode(given) : given)
    binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Decodes standard base64 with padding; `undefined` if the text is anything else. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  // This is checked by hand, as atob also accepts blanks and missing padding.
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  return latin1Bytes(atob(text));
}

/** A byte for each character. `Uint8Array.from` takes ten times as long. */
export function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Encodes bytes, or a text's UTF-8 bytes, in the URL-safe alphabet, without padding. */
export function encodeBase64Url(given: string | Uint8Array): string {
  return encodeBase64(given)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "");
}

/** Decodes URL-safe base64 without padding; `undefined` if the text is anything else. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  const padding = "=".repeat((4 - (text.length % 4)) % 4);
  return decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/") + padding);
}
