import { foldText } from "../../../contract";
import type { IconName } from "../icons";

/** How many entries are drawn, at most: users who don't find theirs type another letter. */
export const MAX_LISTED = 60;

/** A line of a list that is searched by name. */
export interface FindableEntry {
  key: string;
  label: string;
  /** The kind of entry, or where it belongs; empty if that is obvious. */
  hint: string;
  /** Further words that find it, which aren't shown. */
  also?: string | undefined;
  /** An icon, or the square of a topic. */
  mark: { icon: IconName } | { topic: string; colour: number | undefined; symbol: string | undefined };
  /** Keys that do the same. */
  keys?: string | undefined;
}

/** The words of a query, folded. */
export function wordsOf(query: string): string[] {
  return foldText(query).split(/\s+/).filter(Boolean);
}

/**
 * Entries that have every word of the query in their label, hint or keywords, best first: those whose label begins with
 * it, then those with a word that begins with it, each in original order. Otherwise entries whose label has the letters
 * of every word in order, starting at a word ("mkread": "Mark all read").
 */
export function findEntries<Entry extends FindableEntry>(entries: readonly Entry[], query: string): Entry[] {
  const words = wordsOf(query);
  if (words.length === 0) return [...entries];
  const whole = words.join(" ");
  const found = best(entries, (entry) => {
    const { own, rest } = textsOf(entry);
    return own === whole ? -1 : sum(words, (word) => rankIn(own, word) ?? (rest.includes(word) ? 3 : undefined));
  });
  return found.length > 0 ? found : best(entries, (entry) => sum(words, (word) => leapsIn(textsOf(entry).own, word)));
}

/** An entry's texts, folded once: thousands may be searched at each letter. */
const texts = new WeakMap<FindableEntry, { own: string; rest: string }>();

function textsOf(entry: FindableEntry): { own: string; rest: string } {
  const { label, hint, also = "" } = entry;
  const known = texts.get(entry) ?? { own: foldText(label.replace(/\s?…$/, "")), rest: foldText(`${hint} ${also}`) };
  texts.set(entry, known);
  return known;
}

/** The ranked entries, lowest first, in original order among equals. */
function best<Entry>(entries: readonly Entry[], rankOf: (entry: Entry) => number | undefined): Entry[] {
  return entries
    .flatMap((entry) => {
      const rank = rankOf(entry);
      return rank === undefined ? [] : [{ entry, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

/** The sum over all words; undefined if one has no rank. */
function sum(words: readonly string[], rankOf: (word: string) => number | undefined): number | undefined {
  return words.reduce<number | undefined>((all, word) => {
    const rank = all === undefined ? undefined : rankOf(word);
    return all === undefined || rank === undefined ? undefined : all + rank;
  }, 0);
}

/** How a text contains a word: 0 at its beginning, 1 at that of a word, 2 within one; undefined = it doesn't. */
function rankIn(text: string, word: string): number | undefined {
  if (!text.includes(word)) return undefined;
  if (text.startsWith(word)) return 0;
  return text.split(NO_LETTERS).some((part) => part.startsWith(word)) ? 1 : 2;
}

const NO_LETTERS = /[^\p{L}\p{N}]+/u;

/**
 * How many leaps the letters of a word take in a text, from the beginning of one of its words; undefined = they aren't
 * there. A leap to the beginning of a word counts half.
 */
function leapsIn(text: string, word: string): number | undefined {
  const begins = (at: number) => at === 0 || NO_LETTERS.test(text.charAt(at - 1));
  let least: number | undefined;
  for (let from = 0; from < text.length; from++) {
    if (!begins(from) || text.charAt(from) !== word.charAt(0)) continue;
    let at: number | undefined = from;
    let leaps = 0;
    for (const letter of [...word].slice(1)) {
      if (text.charAt(at + 1) === letter) {
        at += 1;
        continue;
      }
      const next = text.indexOf(letter, at + 1);
      if (next === -1) {
        at = undefined;
        break;
      }
      leaps += begins(next) ? 1 : 2;
      at = next;
    }
    if (at !== undefined) least = Math.min(least ?? Infinity, leaps);
  }
  return least;
}
