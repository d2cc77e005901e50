// Which trigrams occur in a pack, as a set of hashes: it says for certain what does not occur, so that a search for a rare
// word reads hardly any text. Sized by what is in it, as one pack holds a hundred short lines and another long articles.

/** Bits while it is made; the finished one is folded down to a power of two that leaves seven eighths of them empty. */
const WIDEST_BITS = 1 << 17;
const NARROWEST_BITS = 1 << 11;
const BITS_EACH = 8;

/** Shorter pieces have no trigram: every pack may hold them. */
const GRAM = 3;

function hashAt(text: string, at: number): number {
  const a = text.charCodeAt(at);
  const b = text.charCodeAt(at + 1);
  const c = text.charCodeAt(at + 2);
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) & (WIDEST_BITS - 1);
}

/** The signature of a text. */
export function signatureOf(text: string): Uint8Array<ArrayBuffer> {
  let bits = new Uint8Array(WIDEST_BITS / 8);
  let set = 0;
  for (let at = 0; at + GRAM <= text.length; at++) {
    const hash = hashAt(text, at);
    const mask = 1 << (hash & 7);
    const byte = bits[hash >>> 3] ?? 0;
    if (byte & mask) continue;
    bits[hash >>> 3] = byte | mask;
    set++;
  }
  while (bits.length * 8 > Math.max(NARROWEST_BITS, set * BITS_EACH * 2)) bits = halved(bits);
  return bits;
}

function halved(bits: Uint8Array): Uint8Array<ArrayBuffer> {
  const half = bits.length / 2;
  const narrow = new Uint8Array(half);
  for (let at = 0; at < half; at++) narrow[at] = (bits[at] ?? 0) | (bits[at + half] ?? 0);
  return narrow;
}

/** The trigrams of a wanted text, to be asked for in many signatures. */
export function gramsOf(wanted: string): readonly number[] {
  const grams = new Set<number>();
  for (let at = 0; at + GRAM <= wanted.length; at++) grams.add(hashAt(wanted, at));
  return [...grams];
}

/** False only where the wanted text is certainly not in the text of the signature. */
export function mayHold(signature: Uint8Array, grams: readonly number[]): boolean {
  const last = signature.length * 8 - 1;
  return grams.every((gram) => {
    const bit = gram & last;
    return ((signature[bit >>> 3] ?? 0) >>> (bit & 7)) & 1;
  });
}
