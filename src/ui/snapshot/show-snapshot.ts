import { closeOpening, readSnapshot } from "../../client";
import { homeServer } from "../state/home";
import type { HistoryStep } from "../state/navigation/scroll-anchor";
import { firstScreenDrawn } from "./first-screen";
import { pageStyled } from "./page-ready";
import { screenOf } from "./screen-of";
import { build } from "./tree";

/** The longest stored tree that is read, characters: about ten times a full screen. */
const MAX_LENGTH = 1_000_000;

let said: { noStart: string; tryAgain: string } | undefined;

/** What to say if the app can't be loaded, in the snapshot's language; undefined if there is none. */
export const snapshotStrings = (): typeof said => said;

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

/**
 * Draws the view's snapshot, if nothing visible has changed since. Otherwise the page stays empty until the app draws.
 */
export async function showSnapshot(): Promise<boolean> {
  const step = history.state as (HistoryStep & { opened?: true }) | null;
  // The history entry has a scroll position or open message, or another app shares something.
  if (Object.keys(step?.places ?? {}).length > 0 || step?.opened || location.search !== "") {
    void closeOpening();
    return false;
  }
  const snapshot = await readSnapshot(viewOf(location.hash));
  if (snapshot?.conditions !== conditionsNow() || !(innerHeight <= snapshot.height)) return false;
  const { root, tree } = snapshot;
  if (tree.length > MAX_LENGTH) return false;
  await pageStyled(document);
  const target = document.querySelector("#app");
  const frame = build(parsed(tree));
  if (!target || target.hasChildNodes() || !frame) return false;
  const { documentElement } = document;
  Object.assign(documentElement, { lang: root["lang"], dir: root["dir"] });
  Object.assign(documentElement.dataset, { theme: root["theme"], density: root["density"] });
  documentElement.style.fontSize = String(root["fontSize"]);
  said = { noStart: String(root["noStart"]), tryAgain: String(root["tryAgain"]) };
  target.append(...frame.childNodes);
  target.ariaBusy = "true";
  firstScreenDrawn(screenOf(target));
  return true;
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
