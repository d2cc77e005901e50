import { foldText, type Filter } from "../../../contract";
import type { Attachment } from "svelte/attachments";

/** A part of a text, in UTF-16 units; the end is exclusive. */
export type TextSpan = [start: number, end: number];

/** A text folded for comparison, and where in the original each unit came from. */
interface Folded {
  text: string;
  /** The original index of each folded unit, plus one entry for the end. Absent if both are the same. */
  places?: number[];
}

function fold(text: string): Folded {
  // Nearly everything is plain ASCII and stays as it is.
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
 * Finds texts as a search does, ignoring case and accents. Spans are in order and don't overlap.
 * @param wanted folded, none empty
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
  return spans.map(([start, end]) => {
    const to = places[end] ?? text.length;
    // Accents that were folded away belong to the letter before them.
    const [accents = ""] = /^\p{M}*/u.exec(text.slice(to)) ?? [];
    return [places[start] ?? 0, to + accents.length];
  });
}

/** The most marks in one message: more don't help, and a body can repeat one letter. */
const MOST = 200;

/** Parts of a message, and how to find them in a row. */
const PARTS = { title: "h1, h2", body: ".body", rest: ".meta .tag, .card .name" } as const;

/** The folded texts to look for in each part. */
type Wanted = Readonly<Record<keyof typeof PARTS, readonly string[]>>;

/** The texts a filter looks for, without those it excludes. */
export function wantedIn(filter: Filter): Wanted {
  const wanted = { title: new Set<string>(), body: new Set<string>(), rest: new Set<string>() };
  for (const term of filter.terms) {
    if (term.not || !("text" in term)) continue;
    const text = foldText(term.text);
    if (text === "") continue;
    if (term.kind === "text") for (const part of Object.values(wanted)) part.add(text);
    else if (term.field === "title") wanted.title.add(text);
    else if (term.field === "message") wanted.body.add(text);
  }
  return { title: [...wanted.title], body: [...wanted.body], rest: [...wanted.rest] };
}

/** The ranges of all lists on the page, drawn by `::highlight(found)`; absent in browsers without it. */
function highlight(): Highlight | undefined {
  if (typeof Highlight === "undefined") return undefined;
  const made = CSS.highlights.get("found") ?? new Highlight();
  CSS.highlights.set("found", made);
  return made;
}

function rangesIn(article: Element, wanted: Wanted): StaticRange[] {
  const ranges: StaticRange[] = [];
  for (const part of ["title", "body", "rest"] as const) {
    if (wanted[part].length === 0) continue;
    for (const element of article.querySelectorAll(PARTS[part])) {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node && ranges.length < MOST; node = texts.nextNode()) {
        const spans = findMatches(node.nodeValue ?? "", wanted[part], MOST - ranges.length);
        for (const [startOffset, endOffset] of spans) {
          ranges.push(new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }));
        }
      }
    }
  }
  return ranges;
}

/**
 * Marks a filter's matches in an element's messages, and keeps doing so as content changes; undefined if it has no
 * words. The DOM isn't touched, so Markdown, links and folded texts stay intact.
 */
export function marksOf(filter: Filter | undefined): Attachment | undefined {
  const wanted = filter && wantedIn(filter);
  const hasWords = wanted && Object.values(wanted).some((texts) => texts.length > 0);
  return hasWords ? (element) => markMatches(element, wanted) : undefined;
}

function markMatches(root: Element, wanted: Wanted): (() => void) | undefined {
  const found = highlight();
  if (!found) return undefined;
  const marked = new Map<Element, StaticRange[]>();
  const forget = (article: Element) => {
    for (const range of marked.get(article) ?? []) found.delete(range);
    marked.delete(article);
  };
  const mark = (article: Element) => {
    forget(article);
    const ranges = rangesIn(article, wanted);
    for (const range of ranges) found.add(range);
    if (ranges.length > 0) marked.set(article, ranges);
  };
  const markWithin = (element: Element) => {
    const own = element.closest("article");
    if (own) mark(own);
    else for (const article of element.querySelectorAll("article")) mark(article);
  };
  // Runs before the next frame, so new content is never seen unmarked.
  const observer = new MutationObserver((records) => {
    const touched = new Set<Element>();
    for (const { target, addedNodes } of records) {
      const article = (target instanceof Element ? target : target.parentElement)?.closest("article");
      if (article) touched.add(article);
      else for (const node of addedNodes) if (node instanceof Element) touched.add(node);
    }
    for (const element of touched) if (element.isConnected) markWithin(element);
    for (const article of [...marked.keys()]) if (!article.isConnected) forget(article);
  });
  observer.observe(root, { childList: true, characterData: true, subtree: true });
  markWithin(root);
  return () => {
    observer.disconnect();
    for (const article of [...marked.keys()]) forget(article);
  };
}
