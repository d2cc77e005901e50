import { closeOpening, readFirst } from "../../client";
import { kept } from "../state/device-storage";
import { homeServer } from "../state/home";
import type { HistoryStep } from "../state/scroll-anchor";
import { FeedRows } from "./feed-rows";
import { firstScreenDrawn } from "./first-screen";
import { frameAround, shapeOf } from "./frame-around";
import { pageStyled } from "./page-ready";
import { noted } from "./cached-strings";
import { screenOf } from "./screen-of";
import { whichFeed } from "./which-feed";

/**
 * Draws heading and first rows into the page as the app's own first frame does, if the view is a plain stored feed.
 * Otherwise it returns undefined, and the app draws the view.
 */
export async function drawFirst(page: Document): Promise<FeedRows | undefined> {
  const step = history.state as (HistoryStep & { opened?: true }) | null;
  // The history entry holds a scroll position or an open message, or another app shares something.
  if (Object.keys(step?.places ?? {}).length > 0 || step?.opened || location.search !== "") {
    void closeOpening();
    return undefined;
  }
  // The page waits for the database, so it is opened first; the rest is looked up meanwhile.
  const reading = readFirst((tables) => said && whichFeed(tables, asked, said));
  const asked = { fragment: location.hash, home: homeServer(page, location.origin) };
  const said = noted();
  if (!said) return undefined;
  const read = await reading;
  if (!read || read.rows.length === 0) return undefined;
  await pageStyled(page);
  const target = page.querySelector("#app");
  if (!target) return undefined;

  const rows = FeedRows.of(read, said, Date.now());
  if (!rows) return undefined;
  const { theme, density, display } = read.settings;
  page.documentElement.lang = said.lang;
  Object.assign(page.documentElement.dataset, { theme, density });
  // Without a size of the user's own this is no length, and the browser's stays.
  page.documentElement.style.fontSize = `${display?.textSize}%`;
  const shape = shapeOf();
  rows.begin(innerHeight);
  const isNarrow = kept("earshot-rail") === "narrow";
  target.append(...frameAround(read.feed.title, rows, said, { shape, isNarrow }));
  firstScreenDrawn(screenOf(target, rows));
  rows.shorten();
  return rows;
}
