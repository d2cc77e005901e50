// Loaded with the first Markdown message, so that parser and sanitiser stay out of the first load.
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { hasInk } from "../../../contract";
import { directionOf, label } from "../label";
import type { App } from "../../state/app.svelte";
import type { LoadSource } from "../../state/load-source";
import { attachmentStrings, rowStrings } from "../../strings";
import { linkHost, OPENABLE_SCHEMES, safeLink } from "./links";
import { loadInto } from "../attachment/load-into";
import type { Loads } from "../attachment/loads.svelte";
import { htmlOf } from "./markdown-html";

/** The elements that Markdown may produce; others are removed. */
const TAGS = [
  ..."p br hr strong em del code pre blockquote ul ol li a img".split(" "),
  ..."h1 h2 h3 h4 h5 h6 table thead tbody tr th td".split(" "),
];

const ATTRIBUTES = ["href", "src", "alt", "title", "start", "align", "colspan", "rowspan"];

/** An address with an openable scheme, or without one, as in the app's help. */
const URIS = new RegExp(`^(?:(?:${OPENABLE_SCHEMES.join("|")}):|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))`, "i");

/** How the images of a message are shown: loaded, or as placeholders with their names. */
interface ImageRule {
  app: App;
  /** Decides which images load, and is told which were pressed or failed; then the text must be rendered again. */
  loads: Loads;
}

/** Opens links in a new tab without a referrer; those that must not be opened become text. */
function guardLinks(root: ParentNode): void {
  for (const link of root.querySelectorAll("a")) {
    const given = link.getAttribute("href") ?? "";
    // Another page of the help; a message's link has its whole address.
    if (given.startsWith("#")) continue;
    const href = safeLink(given);
    if (href === undefined) {
      link.replaceWith(...link.childNodes);
      continue;
    }
    link.href = href;
    if (!hasInk(link.textContent) && link.childElementCount === 0) link.textContent = linkHost(href) ?? href;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  }
}

/** How many uploaded pictures in a text load unasked: each takes one of the server's few requests. */
const MAX_FILES = 4;

function imageElement(source: LoadSource, alt: string, { loads }: ImageRule): HTMLImageElement {
  const image = Object.assign(new Image(), { decoding: "async", alt });
  loadInto(image, source, loads.fail);
  return image;
}

/** The last part of an address's path, or else its host. */
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

export function buttonElement(className: string, onclick: (event: Event) => void): HTMLButtonElement {
  return Object.assign(document.createElement("button"), { type: "button", className, onclick });
}

/** An image that can be pressed to enlarge it. Inside a link, the press follows the link. */
function pressable(source: LoadSource, alt: string, rule: ImageRule): HTMLButtonElement {
  const name = label(alt.trim() === "" ? nameOf(source.href) : alt);
  const facts = attachmentStrings.from({ host: linkHost(source.href) ?? "" });
  const button = buttonElement("picture", () => rule.app.dialogs.open({ kind: "image", source, name, facts }));
  button.ariaLabel = attachmentStrings.image.enlarge({ name });
  button.append(imageElement(source, name, rule));
  return button;
}

/** The button shown in place of an image until pressed. */
function placeholder(src: string, alt: string, rule: ImageRule): HTMLButtonElement {
  const button = buttonElement("remote-image", (event) => {
    event.stopPropagation();
    rule.loads.press(src);
  });
  const { host } = new URL(src);
  const { loadPicture, loadPictureOf } = rowStrings.message;
  button.textContent = alt ? loadPictureOf({ host, alt }) : loadPicture({ host });
  button.title = src;
  return button;
}

/** Turns what may not load unasked into a button (docs/design.md §2, promise 7). */
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
      image.replaceWith((link ? imageElement : pressable)(verdict.source, alt, rule));
      continue;
    }
    const button = placeholder(verdict.kind === "load" ? verdict.source.href : verdict.href, alt, rule);
    if (link) {
      // A button inside a link can't be pressed.
      image.replaceWith(alt);
      link.after(button);
    } else image.replaceWith(button);
  }
}

/** Turns headings into paragraphs, since a message's headings would break the page's outline. */
function lowerHeadings(root: ParentNode): void {
  for (const heading of root.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const line = Object.assign(document.createElement("p"), { className: "heading" });
    line.append(...heading.childNodes);
    heading.replaceWith(line);
  }
}

/** Wide content scrolls by itself, reachable by keyboard. */
function frameTables(root: ParentNode): void {
  for (const wide of root.querySelectorAll<HTMLElement>("table, pre")) {
    const frame = Object.assign(document.createElement("div"), { className: "wide", tabIndex: 0 });
    wide.replaceWith(frame);
    frame.append(wide);
  }
}

function asWritten(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(
    Object.assign(document.createElement("p"), { className: "as-written", dir: "auto", textContent: text }),
  );
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

/** A page of the app's help; its lines wrap and headings stay. @param hrefOf address of another page, `name.md` */
export function renderHelp(text: string, hrefOf: (page: string) => string): DocumentFragment {
  const linked = text.replace(/(?<=\]\()([\w-]+)\.md(?=\))/g, (_, page: string) => hrefOf(page));
  const fragment = sanitized(new Marked({ async: false }).parse(linked) as string);
  guardLinks(fragment);
  frameTables(fragment);
  return fragment;
}

/** Lists, quotes and tables get the direction of their first letters; a paragraph's lines have their own. */
function direct(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>("ul, ol, li, table, td, th, blockquote"))
    element.dir = directionOf(element.textContent);
}

/**
 * Markdown as sanitised elements for the page (docs/protocol.md §14). The sanitiser parses by its Trusted Types policy
 * `dompurify`; nothing here writes HTML into the page. What can't be parsed, or shows nothing, is shown as written.
 */
export function renderMarkdown(text: string, images: ImageRule): DocumentFragment {
  const html = htmlOf(text);
  if (html === undefined) return asWritten(text);
  const fragment = sanitized(html);
  if (!hasInk(fragment.textContent) && !fragment.querySelector("img, hr, a")) return asWritten(text);
  // In the sanitiser's own document, to which the elements belong until then, nothing loads.
  guardImages(fragment, images);
  guardLinks(fragment);
  lowerHeadings(fragment);
  frameTables(fragment);
  direct(fragment);
  return fragment;
}
