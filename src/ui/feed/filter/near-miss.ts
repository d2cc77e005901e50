// What a search without a hit may have meant: words close to those typed, or a topic with that name.
import { type Filter, type FilterTerm, foldText } from "../../../contract";

const WORD = /[\p{L}\p{N}]+/gu;

/** Nobody types a longer word. */
const LONGEST = 40;

type TextTerm = Extract<FilterTerm, { kind: "text" }>;

/** Whether a condition consists of typed words. */
export function isText(term: FilterTerm): term is TextTerm {
  return term.kind === "text" && !term.not;
}

/** How often each folded word occurs in some texts. */
export function wordCounts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of texts.flatMap((text) => [...foldText(text).matchAll(WORD)]))
    if (word.length <= LONGEST) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The least number of letters to insert, remove, change or swap with the next to turn one word into the other. */
export function editsBetween(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (list: number[], index: number) => list[index] ?? Infinity;
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwapped ? at(beforeLast, j - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** The nearest of the words, the most frequent of those equally near; undefined if none is near. */
export function nearest(word: string, known: ReadonlyMap<string, number>): string | undefined {
  // With more edits it would be another word.
  const most = word.length < 4 ? 0 : word.length < 6 ? 1 : 2;
  return [...known]
    .filter(([other]) => Math.abs(other.length - word.length) <= most)
    .map(([other, count]) => ({ other, count, edits: editsBetween(word, other) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits || b.count - a.count)[0]?.other;
}

/**
 * The filters that may have been meant: with known words for those found nowhere, and with a topic for text that is in
 * its name, or nearly is its name.
 * @param known words of messages, with how often they occur
 * @param topics each with both of its names, the one shown first
 */
export function nearMisses(
  { terms }: Filter,
  known: ReadonlyMap<string, number>,
  topics: readonly (readonly [string, string])[],
): Filter[] {
  const texts = terms.filter(isText);
  const others = terms.filter((term) => !isText(term));
  const all = [...known.keys()].join(" ");
  const mend = (word: string) => (all.includes(word) ? word : (nearest(word, known) ?? word));
  const mended = texts.map((term) => ({ ...term, text: foldText(term.text).replace(WORD, mend) }));
  const isMended = mended.some(({ text }, at) => text !== foldText(texts[at]?.text ?? ""));
  const wanted = foldText(texts.map(({ text }) => text).join(" "));
  const names = new Map(topics.flatMap(([shown, own]) => [shown, own].map((name) => [foldText(name), shown])));
  const near = () => nearest(wanted, new Map([...names.keys()].map((name) => [name, 1])));
  const name = [...names.keys()].find((one) => one.includes(wanted)) ?? near();
  const topic = wanted === "" || name === undefined ? undefined : names.get(name);
  return [
    ...(isMended ? [{ terms: [...others, ...mended] }] : []),
    ...(topic === undefined ? [] : [{ terms: [...others, { kind: "topic" as const, values: [topic], not: false }] }]),
  ];
}
