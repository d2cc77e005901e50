import { foldText } from "../../contract";

/** A part of a text, in UTF-16 units; the end is exclusive. */
export type TextSpan = [start: number, end: number];

/** A text folded for comparison, and where in the text each unit of that stems from. */
interface Folded {
  text: string;
  /** For each folded unit its index in the original, plus one entry for the end. Absent if both are the same. */
  places?: number[];
}

function fold(text: string): Folded {
  // Nearly everything is plain ASCII, where each letter stands for itself.
  if (!/[\u0080-\uffff]/.test(text)) return { text: foldText(text) };
  const places: number[] = [];
  let folded = "";
  let at = 0;
  for (const character of text) {
    const part = foldText(character);
    for (let unit = 0; unit < part.length; unit++) places.push(at);
    folded += part;
    at += character.length;
  }
  places.push(at);
  return { text: folded, places };
}

/**
 * Finds wanted texts in a text as a search does, ignoring case and accents. The spans are in order and don't overlap.
 * @param wanted folded, none of them empty
 * @param most spans at most
 */
export function findMatches(text: string, wanted: readonly string[], most: number): TextSpan[] {
  const { text: folded, places } = fold(text);
  const found: TextSpan[] = [];
  for (const word of wanted) {
    let at = folded.indexOf(word);
    for (let count = 0; at >= 0 && count < most; count++) {
      found.push([at, at + word.length]);
      at = folded.indexOf(word, at + word.length);
    }
  }
  found.sort(([a], [b]) => a - b);
  const apart: TextSpan[] = [];
  for (const [start, end] of found) {
    const last = apart.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else apart.push([start, end]);
  }
  const spans = apart.slice(0, most);
  if (!places) return spans;
  return spans.map(([start, end]) => [places[start] ?? 0, endOf(text, places[end] ?? text.length)]);
}

/** Accents that were folded away belong to the letter before them. */
function endOf(text: string, end: number): number {
  const [accents = ""] = /^\p{M}*/u.exec(text.slice(end)) ?? [];
  return end + accents.length;
}
