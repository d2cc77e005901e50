// Loaded with the first search for words.
import { foldText, type Filter } from "../../contract";
import { findMatches } from "./find-matches";

/** The most marks in one message, as more are no help, and a body can repeat one letter. */
const MOST = 200;

/** Parts of a message, and where a search looks in them. */
const PARTS = { title: "h1, h2", body: ".body", rest: "footer .chip, .card .name" } as const;

/** Folded texts that are looked for in each part. */
type Wanted = Readonly<Record<keyof typeof PARTS, readonly string[]>>;

/** The texts that a filter looks for; those that it excludes can't occur. */
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

/** The ranges of all lists on the page, drawn by `::highlight(found)`; absent where the browser knows none. */
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
 * Marks what a filter found in the messages of an element, whatever comes into it or changes later. Nothing in the page is
 * changed for that, so that Markdown, links and folded texts stay as they are. The returned function takes all marks away.
 */
export function markMatches(root: Element, filter: Filter): () => void {
  const found = highlight();
  const wanted = wantedIn(filter);
  if (!found || Object.values(wanted).every((texts) => texts.length === 0)) return () => undefined;
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
  // Called before the next frame, so that what enters is never seen without its marks.
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
