/** What the beginning of a file holds: text, or bytes that are no text. */
export type FileText = { kind: "text"; text: string; bytes: number; isCut: boolean } | { kind: "bytes" };

/** The most of a file that is shown in place, bytes; a longer one can be opened in a tab of its own. */
export const MAX_TEXT_BYTES = 65_536;

/** Reads the beginning of an answer's body, and whether there is more. Rejects when the network fails. */
export async function readBeginning(response: Response): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const reader = response.body?.getReader();
  const bytes = new Uint8Array(MAX_TEXT_BYTES);
  let length = 0;
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return { bytes: bytes.subarray(0, length), isCut: false };
    const fitting = chunk.value.subarray(0, MAX_TEXT_BYTES - length);
    bytes.set(fitting, length);
    length += fitting.length;
    if (fitting.length === chunk.value.length) continue;
    await reader?.cancel();
    return { bytes, isCut: true };
  }
}

/** Byte order marks, and the encodings that they stand for. */
const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** A decoder for a character set; undefined if none is given or it isn't known. */
function decoderOf(charset: string | undefined): TextDecoder | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset);
  } catch {
    // An unknown name counts as none.
    return undefined;
  }
}

/**
 * Decodes a file's text by its byte order mark, else by the first of the types (of the answer, of the message) that
 * names a character set, else as UTF-8. A NUL character shows that it is no text.
 */
export function decodeText(
  { bytes, isCut }: { bytes: Uint8Array; isCut: boolean },
  types: readonly (string | null | undefined)[],
): FileText {
  const mark = MARKS.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0];
  const named = types.map((type) => /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type ?? "")?.[1]);
  const decoder = [mark, ...named].map(decoderOf).find((each) => each !== undefined) ?? new TextDecoder();
  // In a file that was cut, the last character may be incomplete; `stream` leaves it out.
  const text = decoder.decode(bytes, { stream: isCut });
  return text.includes("\0") ? { kind: "bytes" } : { kind: "text", text, bytes: bytes.length, isCut };
}
