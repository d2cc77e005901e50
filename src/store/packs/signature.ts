// Which short pieces occur in a pack's text, as sets of hashes: they say for certain what does not occur, so that a search
// reads hardly any text that has nothing for it. Sized by what is in it, as one pack holds a hundred short lines and another
// long articles. Of two kinds, as few searches need the second: trigrams tell that a rare word is not there, windows of
// several words that words, each of them common, do not follow one another.

/** Both kinds of one pack. */
export interface Signatures {
  trigrams: Uint8Array<ArrayBuffer>;
  sequences: Uint8Array<ArrayBuffer>;
}

export type SignatureKind = keyof Signatures;

/** Hashes of what a wanted text has of each kind, to be asked for in many signatures. */
export type Grams = Readonly<Record<SignatureKind, readonly number[]>>;

export const SIGNATURE_KINDS = ["trigrams", "sequences"] as const satisfies readonly SignatureKind[];

/** Bits while it is made; the finished one is folded down to a power of two that leaves three quarters of them empty. */
const WIDEST_BITS = 1 << 17;
const NARROWEST_BITS = 1 << 11;
const BITS_EACH = 4;

/** Shorter pieces have no trigram: every pack may hold them. */
const GRAM = 3;

/** Characters that a window of words has of the words before and behind the whole one in its middle. */
const SIDE = 2;

/** Characters below the digits stand between words: spaces, ends of lines, most punctuation. */
const FIRST_OF_WORDS = "0".charCodeAt(0);

type Hashes = (text: string, each: (hash: number) => void) => void;

const HASHES: Readonly<Record<SignatureKind, Hashes>> = {
  trigrams: (text, each) => {
    for (let at = 0; at + GRAM <= text.length; at++) each(trigramAt(text, at));
  },
  /** One for each word that stands whole between two others: it, what is around it, and where they begin and end. */
  sequences: (text, each) => {
    let before = -1;
    for (let at = 0; at < text.length; at++) {
      if (text.charCodeAt(at) >= FIRST_OF_WORDS) continue;
      const [from, to] = [before - SIDE, at + 1 + SIDE];
      if (before >= SIDE && at > before + 1 && to <= text.length) each(hashOf(text, from, to));
      before = at;
    }
  },
};

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

/** The signatures of a text. */
export function signaturesOf(text: string): Signatures {
  return { trigrams: signatureOf(text, HASHES.trigrams), sequences: signatureOf(text, HASHES.sequences) };
}

function signatureOf(text: string, hashes: Hashes): Uint8Array<ArrayBuffer> {
  let bits = new Uint8Array(WIDEST_BITS / 8);
  let set = 0;
  hashes(text, (hash) => {
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

/** What a wanted text has of each kind. A sequence needs a whole word between two others, a trigram three characters. */
export function gramsOf(wanted: string): Grams {
  return gramsOfAll([wanted]);
}

/** What several texts, all of which are wanted, have of each kind. */
export function gramsOfAll(wanted: readonly string[]): Grams {
  const all = (hashes: Hashes): readonly number[] => {
    const grams = new Set<number>();
    for (const each of wanted) hashes(each, (hash) => grams.add(hash));
    return [...grams];
  };
  return { trigrams: all(HASHES.trigrams), sequences: all(HASHES.sequences) };
}

/** False only where the wanted text is certainly not in the text of the signatures; any that is absent rules nothing out. */
export function mayHold(signatures: Partial<Signatures>, grams: Grams): boolean {
  return SIGNATURE_KINDS.every((kind) => {
    const signature = signatures[kind];
    return !signature || hasAll(signature, grams[kind]);
  });
}

function hasAll(signature: Uint8Array, grams: readonly number[]): boolean {
  const last = signature.length * 8 - 1;
  return grams.every((gram) => {
    const bit = gram & last;
    return ((signature[bit >>> 3] ?? 0) >>> (bit & 7)) & 1;
  });
}
