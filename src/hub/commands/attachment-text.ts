/** What the beginning of a file turned out to hold. */
export type FileText = { kind: "text"; text: string; bytes: number; isCut: boolean } | { kind: "bytes" };

/** As much as one reads in place, bytes; the rest is for a tab of its own. */
export const MOST_BYTES = 65_536;

/** The beginning of an answer's body, and whether there is more. Rejects where the network breaks off. */
export async function readBeginning(response: Response): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const reader = response.body?.getReader();
  const bytes = new Uint8Array(MOST_BYTES);
  let length = 0;
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return { bytes: bytes.subarray(0, length), isCut: false };
    const fitting = chunk.value.subarray(0, MOST_BYTES - length);
    bytes.set(fitting, length);
    length += fitting.length;
    if (fitting.length === chunk.value.length) continue;
    await reader?.cancel();
    return { bytes, isCut: true };
  }
}

/** Marks at the beginning of a file that tell how it is written. */
const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** A decoder for the character set that a type names; undefined where it names none that is known. */
function decoderOf(charset: string | undefined): TextDecoder | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset);
  } catch {
    // A name that nobody knows says nothing.
    return undefined;
  }
}

/**
 * The text of a file: by its own mark, else by the first of the types (of the answer, of the message) that names a
 * character set, else as UTF-8. A zero in it tells that it is none.
 */
export function textOf(
  { bytes, isCut }: { bytes: Uint8Array; isCut: boolean },
  types: readonly (string | null | undefined)[],
): FileText {
  const mark = MARKS.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0];
  const named = types.map((type) => /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type ?? "")?.[1]);
  const decoder = [mark, ...named].map(decoderOf).find((each) => each !== undefined) ?? new TextDecoder();
  // Where it goes on, its last character may be cut in two: that half is left out.
  const text = decoder.decode(bytes, { stream: isCut });
  return text.includes("\0") ? { kind: "bytes" } : { kind: "text", text, bytes: bytes.length, isCut };
}
