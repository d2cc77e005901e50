import type { Settings } from "../../client";
import type { Priority } from "../../protocol";
import { kept } from "../state/device-storage";
import type { DayNames } from "../strings/dates";
import type { NotedDates } from "./noted-dates";

/** The strings around the first rows, in the language last used, as the prerender has no strings of its own. */
export interface CachedStrings {
  /** What it is valid for (`saidFor`). */
  key: string;
  /** The language setting. */
  chosen: Settings["language"];
  /** The page's language. */
  lang: string;
  /** How the dates are written; the app compares it. */
  locale: string;
  skip: string;
  everything: string;
  /** Name of the feed. */
  feed: string;
  end: string;
  unread: string;
  starred: string;
  showAll: string;
  /** Shown if the app can't be loaded. */
  noStart: string;
  tryAgain: string;
  priorities: Record<Priority, string>;
  days: DayNames;
  dates: NotedDates;
}

/** Its key in local storage. */
export const SAID = "earshot-said";

/** The build, browser and languages for which strings and dates were cached; they may differ in others. */
export function saidFor(): string {
  return [__BUILD__, navigator.userAgent, ...navigator.languages].join(" ");
}

/** What was cached for this build, browser and languages; undefined if nothing was. */
export function noted(): CachedStrings | undefined {
  try {
    const said = JSON.parse(kept(SAID) ?? "null") as CachedStrings | null;
    return said?.key === saidFor() ? said : undefined;
  } catch (error) {
    // Unreadable; it is written again once the app is idle.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
