// A signature says which short pieces occur in a segment's text, as a set of hashes. What it lacks certainly doesn't
// occur, so a search reads hardly any text without a match. Its size depends on the text, because one segment holds a
// hundred short lines and another long articles. Trigrams show that a rare word is absent; windows of several words
// show that common words don't follow one another.

/** Bits of a signature as built; it is folded to a power of two with three quarters or more empty. */
const WIDEST_BITS = 1 << 17;
const NARROWEST_BITS = 1 << 11;
const BITS_EACH = 4;

/** Shorter pieces have no trigram, so every segment may hold them. */
const GRAM = 3;

/** A window holds a whole word in its middle, and this many characters of the words before and after it. */
const SIDE = 2;

/** Characters below the digits separate words: spaces, line ends, most punctuation. */
const FIRST_OF_WORDS = "0".charCodeAt(0);

/** Calls `each` with the hash of every trigram, and of every whole word with its separators and neighbours' ends. */
function eachHash(text: string, each: (hash: number) => void): void {
  for (let at = 0; at + GRAM <= text.length; at++) each(trigramAt(text, at));
  let before = -1;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) >= FIRST_OF_WORDS) continue;
    const [from, to] = [before - SIDE, at + 1 + SIDE];
    if (before >= SIDE && at > before + 1 && to <= text.length) each(hashOf(text, from, to));
    before = at;
  }
}

function trigramAt(text: string, at: number): number {
  const a = text.charCodeAt(at);
  const b = text.charCodeAt(at + 1);
  const c = text.charCodeAt(at + 2);
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) & (WIDEST_BITS - 1);
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) & (WIDEST_BITS - 1);
}

export function signatureOf(text: string): Uint8Array<ArrayBuffer> {
  let bits = new Uint8Array(WIDEST_BITS / 8);
  let set = 0;
  eachHash(text, (hash) => {
    const mask = 1 << (hash & 7);
    const byte = bits[hash >>> 3] ?? 0;
    if (byte & mask) return;
    bits[hash >>> 3] = byte | mask;
    set++;
  });
  while (bits.length * 8 > Math.max(NARROWEST_BITS, set * BITS_EACH * 2)) bits = halved(bits);
  return bits;
}

function halved(bits: Uint8Array): Uint8Array<ArrayBuffer> {
  const half = bits.length / 2;
  const narrow = new Uint8Array(half);
  for (let at = 0; at < half; at++) narrow[at] = (bits[at] ?? 0) | (bits[at + half] ?? 0);
  return narrow;
}

/** The hashes of texts that must all occur, to look up in many signatures. One of less than three characters has none. */
export function gramsOf(...wanted: readonly string[]): readonly number[] {
  const grams = new Set<number>();
  for (const text of wanted) eachHash(text, (hash) => grams.add(hash));
  return [...grams];
}

/** False only if the text is certainly absent. */
export function mayHold(signature: Uint8Array, grams: readonly number[]): boolean {
  const last = signature.length * 8 - 1;
  return grams.every((gram) => {
    const bit = gram & last;
    return ((signature[bit >>> 3] ?? 0) >>> (bit & 7)) & 1;
  });
}
