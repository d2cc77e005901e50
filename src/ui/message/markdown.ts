// Loaded when the first Markdown message is shown: the parser and the sanitiser are no part of the first load.
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { label } from "./label";
import type { LoadSource } from "../state/load-source";
import { COLLAPSED_CHARACTERS, COLLAPSED_LINES, collapseText } from "./collapse";
import { linkHost, OPENABLE_SCHEMES, safeLink } from "./links";
import { loadInto } from "./load-into";
import type { Loads } from "./loads.svelte";
import { htmlOf } from "./markdown-html";

/** The elements that Markdown may produce; all others are removed. */
const TAGS = [
  ..."p br hr strong em del code pre blockquote ul ol li a img input".split(" "),
  ..."h1 h2 h3 h4 h5 h6 table thead tbody tr th td".split(" "),
];

const ATTRIBUTES = [
  "href",
  "src",
  "alt",
  "title",
  "start",
  "align",
  "type",
  "checked",
  "disabled",
  "colspan",
  "rowspan",
];

/** An address with a scheme that may be opened, or without any, as in the app's own help. */
const URIS = new RegExp(`^(?:(?:${OPENABLE_SCHEMES.join("|")}):|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))`, "i");

/** How an image of the message is shown: loaded, or as a placeholder that names it. */
export interface ImageRule {
  /** Decides which images load, and learns which were pressed or failed; the text must be rendered again then. */
  loads: Loads;
  /** Text of the placeholder. */
  label: (host: string, alt: string) => string;
  /** What pressing a shown image does; absent = nothing. Inside a link the link is pressed. */
  enlarge?: {
    /** Words of the press. */
    label: (name: string) => string;
    onpress: (source: LoadSource, name: string) => void;
  };
}

/** Makes links open in a new tab without a referrer; those that must not be opened become text. */
function guardLinks(root: ParentNode, isOwn: (link: HTMLAnchorElement) => boolean = () => false): void {
  for (const link of root.querySelectorAll("a")) {
    if (isOwn(link)) continue;
    const href = safeLink(link.getAttribute("href") ?? "");
    if (href === undefined) {
      link.replaceWith(...link.childNodes);
      continue;
    }
    link.href = href;
    if (link.textContent.trim() === "" && link.childElementCount === 0) link.textContent = linkHost(href) ?? href;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  }
}

/**
 * The most uploaded pictures in one text that load unasked: each takes one of the few requests that a server grants.
 */
const MAX_FILES = 4;

/** The element that shows an image. */
function imageElement(source: LoadSource, alt: string, { loads }: ImageRule): HTMLImageElement {
  const image = new Image();
  image.decoding = "async";
  image.alt = alt;
  loadInto(image, source, loads.fail);
  return image;
}

/** The last part of an address, as a name for what lies there; its host where there is none. */
function nameOf(src: string): string {
  const { pathname, host } = new URL(src);
  const last = pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || host;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return last;
  }
}

/** An image that can be pressed, to be seen as large as there is room. */
function pressable(
  source: LoadSource,
  alt: string,
  rule: ImageRule,
  enlarge: NonNullable<ImageRule["enlarge"]>,
): HTMLButtonElement {
  const name = label(alt.trim() === "" ? nameOf(source.href) : alt);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "picture";
  button.ariaLabel = enlarge.label(name);
  button.append(imageElement(source, name, rule));
  button.addEventListener("click", () => enlarge.onpress(source, name));
  return button;
}

/** The button that is shown in place of an image until it is pressed. */
function placeholder(src: string, alt: string, rule: ImageRule): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "remote-image";
  button.textContent = rule.label(new URL(src).host, alt);
  button.title = src;
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    rule.loads.press(src);
  });
  return button;
}

/** What may not load unasked becomes a button that loads it (docs/design.md §2, promise 7). */
function guardImages(root: ParentNode, rule: ImageRule): void {
  const files = new Set<string>();
  for (const image of root.querySelectorAll("img")) {
    const { alt } = image;
    const link = image.closest("a");
    const verdict = rule.loads.judge(image.getAttribute("src") ?? "");
    if (verdict.kind === "none") {
      image.replaceWith(alt || (image.getAttribute("src") ?? ""));
      continue;
    }
    if (verdict.kind === "load" && verdict.why === "file") files.add(verdict.source.href);
    if (verdict.kind === "load" && (verdict.why !== "file" || files.size <= MAX_FILES)) {
      const { source } = verdict;
      const { enlarge } = rule;
      image.replaceWith(link || !enlarge ? imageElement(source, alt, rule) : pressable(source, alt, rule, enlarge));
      continue;
    }
    const button = placeholder(verdict.kind === "load" ? verdict.source.href : verdict.href, alt, rule);
    if (link) {
      // A button inside a link would be no button.
      image.replaceWith(alt);
      link.after(button);
    } else image.replaceWith(button);
  }
}

/** Turns headings into paragraphs, as headings of a message would break the page's outline. */
function lowerHeadings(root: ParentNode): void {
  for (const heading of root.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const line = document.createElement("p");
    line.className = "heading";
    line.append(...heading.childNodes);
    heading.replaceWith(line);
  }
}

/** Boxes of task lists show their state and can't be pressed; other inputs have no place in a message. */
function guardInputs(root: ParentNode): void {
  for (const input of root.querySelectorAll("input")) {
    if (input.type === "checkbox") input.replaceWith(input.checked ? "☑ " : "☐ ");
    else input.remove();
  }
}

/** Wide things scroll by themselves, reachable by keyboard. */
function frameTables(root: ParentNode): void {
  for (const wide of root.querySelectorAll<HTMLElement>("table, pre")) {
    const frame = document.createElement("div");
    frame.className = "wide";
    frame.tabIndex = 0;
    wide.replaceWith(frame);
    frame.append(wide);
  }
}

/** A text as it was written. */
function asWritten(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const paragraph = document.createElement("p");
  paragraph.className = "as-written";
  paragraph.dir = "auto";
  paragraph.textContent = text;
  fragment.append(paragraph);
  return fragment;
}

function sanitized(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_URI_REGEXP: URIS,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

/**
 * A page of the app's own help as elements. Other than in a message, its lines run on and its headings count.
 * @param hrefOf address of another page of the help, `name.md`
 */
export function renderHelp(text: string, hrefOf: (page: string) => string): DocumentFragment {
  const fragment = sanitized(new Marked({ async: false }).parse(text) as string);
  const own = new Map<HTMLAnchorElement, string>();
  for (const link of fragment.querySelectorAll("a")) {
    const [, page] = /^([\w-]+)\.md$/.exec(link.getAttribute("href") ?? "") ?? [];
    if (page !== undefined) own.set(link, page);
  }
  // A page of the help stays in its tab; every other link leads out.
  guardLinks(fragment, (link) => own.has(link));
  for (const [link, page] of own) link.setAttribute("href", hrefOf(page));
  frameTables(fragment);
  return fragment;
}

/** Leaves as much as a collapsed row needs. */
function cut(fragment: DocumentFragment): void {
  const nodes = document.createTreeWalker(fragment, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  let lines = 0;
  let characters = 0;
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node instanceof Element) {
      if (node.matches("p, li, tr, br, hr, h1, h2, h3, h4, h5, h6")) lines++;
    } else {
      const text = node.nodeValue ?? "";
      characters += text.length;
      if (node.parentElement?.closest("pre")) lines += text.split("\n").length;
    }
    if (characters <= COLLAPSED_CHARACTERS && lines <= 2 * COLLAPSED_LINES) continue;
    const rest = document.createRange();
    rest.setStartAfter(node);
    rest.setEnd(fragment, fragment.childNodes.length);
    rest.deleteContents();
    return;
  }
}

/** Each paragraph, item, cell and quote has the direction of its own text. */
function direct(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>("p, li, td, th, blockquote")) element.dir = "auto";
}

/**
 * Markdown as sanitised elements, ready to be put into the page (docs/protocol.md §14). The sanitiser parses by its
 * Trusted Types policy `dompurify`; nothing here writes HTML text into the page. What can't be read as Markdown, or shows
 * nothing, is shown as it was written.
 * @param brief no more than a collapsed row needs. The text is whole, as definitions may stand at its end.
 */
export function renderMarkdown(text: string, images: ImageRule, brief = false): DocumentFragment {
  const html = htmlOf(text);
  if (html === undefined) return asWritten(brief ? collapseText(text).text : text);
  const fragment = sanitized(html);
  if (fragment.textContent.trim() === "" && !fragment.querySelector("img, hr, input, a")) return asWritten(text);
  if (brief) cut(fragment);
  // The elements belong to the sanitiser's own document, in which nothing loads, until they are put into the page.
  guardImages(fragment, images);
  guardLinks(fragment);
  lowerHeadings(fragment);
  guardInputs(fragment);
  frameTables(fragment);
  direct(fragment);
  return fragment;
}
