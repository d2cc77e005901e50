// Texts carried whole by a link: gzip, for size and a checksum, then URL-safe base64.

/**
 * What such a link's payload begins with, behind `#/~open/`: a set-up for another device, a topic with a sign-in, or an
 * invitation to the group of one's devices, which isn't packed.
 */
export const SETUP = "setup:";
export const ACCESS = "access:";
export const DEVICES = "devices:";

/** Packs texts, one after the other. */
export async function packed(texts: readonly string[]): Promise<string> {
  const bytes = await bytesOf(new Blob([...texts]).stream().pipeThrough(new CompressionStream("gzip")), Infinity);
  return base64Url(bytes ?? new Uint8Array());
}

/** The bytes of a packed text; undefined if its checksum shows damage, or if it unpacks to more than `most` bytes. */
export async function unpacked(payload: string, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!/^[\w-]+$/.test(payload)) return undefined;
  try {
    const bytes = bytesOfBase64(payload.replaceAll("-", "+").replaceAll("_", "/"));
    return await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")), most);
  } catch (error) {
    // Invalid base64 or gzip: engines throw different errors.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

async function bytesOf(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = stream.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    bytes += chunk.value.length;
    if (bytes > most) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(new Uint8Array(chunk.value));
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function base64Url(bytes: Uint8Array): string {
  return base64Of(bytes)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "");
}

// Bytes as base64, for files and links. Separate from `src/protocol/base64.ts`, so as not to grow the first load.

/** Encodes bytes in the standard alphabet, with padding. */
export function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** @throws DOMException if the text isn't base64 */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
