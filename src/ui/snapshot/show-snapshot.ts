import type { Snapshot } from "../../contract";
import { homeServer } from "../state/home";
import { afterNextPaint } from "../state/after-next-paint";
import type { HistoryStep } from "../state/navigation/scroll-anchor";
import { firstScreenDrawn } from "./first-screen";
import { build } from "./tree";

declare global {
  /** The view's record, which the script in index.html reads while the others load; undefined if storage is denied. */
  var earshotSnapshot: Promise<unknown> | undefined;
}

/** The longest stored tree that is read, characters: about ten times a full screen. */
const MAX_LENGTH = 1_000_000;

/**
 * No snapshot is waited for longer than this, ms. Chromium freezes a shared worker with its last page, even during a
 * write, until another page joins it, which only the app does.
 */
const READ_WITHIN_MS = 1_000;

let texts: { noStart: string; tryAgain: string } | undefined;

/** What to say if the app can't be loaded, in the snapshot's language; undefined if there is none. */
export const snapshotStrings = (): typeof texts => texts;

/** The view as a fragment; an empty one means everything. */
export const viewOf = (hash: string): string => (hash === "" || hash === "#" ? "#/" : hash);

/** What must match a snapshot besides what is stored. */
export function conditionsNow(): string {
  const now = new Date();
  return JSON.stringify([
    __BUILD__,
    now.toDateString(),
    now.getTimezoneOffset(),
    navigator.userAgent,
    navigator.languages,
    innerWidth,
    matchMedia("(pointer: coarse)").matches,
    homeServer(document, location.origin),
  ]);
}

/** Draws the view's snapshot, unless something visible has changed since, and waits for its frame. */
export async function showSnapshot(): Promise<void> {
  const step = history.state as (HistoryStep & { opened?: true }) | null;
  // The history entry has a scroll position or open message, or another app shares something.
  if (Object.keys(step?.places ?? {}).length > 0 || step?.opened || location.search !== "") return;
  const snapshot = await Promise.race([
    globalThis.earshotSnapshot,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), READ_WITHIN_MS)),
  ]);
  if (!isSnapshot(snapshot) || snapshot.conditions !== conditionsNow() || !(innerHeight <= snapshot.height)) return;
  const { root, tree } = snapshot;
  if (tree.length > MAX_LENGTH) return;
  await pageStyled(document);
  const target = document.querySelector("#app");
  const [screen, below] = parsed(tree);
  const frame = build(screen);
  if (!target || target.hasChildNodes() || !frame) return;
  const { documentElement } = document;
  Object.assign(documentElement, { lang: root["lang"], dir: root["dir"] });
  Object.assign(documentElement.dataset, { theme: root["theme"], density: root["density"] });
  documentElement.style.fontSize = String(root["fontSize"]);
  texts = { noStart: String(root["noStart"]), tryAgain: String(root["tryAgain"]) };
  target.append(...frame.childNodes);
  target.ariaBusy = "true";
  firstScreenDrawn(target);
  await new Promise<void>((resolve) => afterNextPaint(resolve));
  target.querySelector("main [role=feed]")?.append(...(build(below)?.childNodes ?? []));
}

/** Used instead of `intact`, which would bring in the shapes of all records. */
function isSnapshot(record: unknown): record is Snapshot {
  const { conditions, height, root, tree } = (record ?? {}) as Partial<Snapshot>;
  return (
    typeof conditions === "string" && typeof height === "number" && typeof root === "object" && typeof tree === "string"
  );
}

function parsed(text: string): unknown[] {
  try {
    const trees: unknown = JSON.parse(text);
    return Array.isArray(trees) ? trees : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Resolves when the page is parsed: the first script starts earlier. */
export async function pageParsed(page: Document): Promise<void> {
  if (page.readyState !== "loading") return;
  await new Promise((resolve) => page.addEventListener("DOMContentLoaded", resolve, { once: true }));
}

/** Resolves when the page has the app's place and its styles are applied or failed: rows are measured as they are drawn. */
export async function pageStyled(page: Document): Promise<void> {
  if (!page.querySelector("#app")) await pageParsed(page);
  if (page.readyState === "complete") return;
  const styles = [...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(({ sheet }) => !sheet);
  const heard = (target: EventTarget, event: string) =>
    new Promise((resolve) => target.addEventListener(event, resolve, { once: true }));
  // The window hears of the end whatever becomes of them.
  const ended = heard(window, "load");
  await Promise.all(styles.map((style) => Promise.race([heard(style, "load"), heard(style, "error"), ended])));
}
