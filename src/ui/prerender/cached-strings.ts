import type { Settings } from "../../client";
import type { Priority } from "../../protocol";
import { kept } from "../state/device-storage";
import type { DayNames } from "../strings/dates";
import type { NotedDates } from "./noted-dates";

/** What the app says around its first rows, in the language that it spoke last: the first script brings no words of its own. */
export interface CachedStrings {
  /** What it holds for (`saidFor`). */
  key: string;
  /** What the settings said of the language. */
  chosen: Settings["language"];
  /** The page's language. */
  lang: string;
  skip: string;
  everything: string;
  /** Name of the feed. */
  feed: string;
  end: string;
  unread: string;
  starred: string;
  showAll: string;
  /** Where the app can't be loaded. */
  noStart: string;
  tryAgain: string;
  priorities: Record<Priority, string>;
  days: DayNames;
  dates: NotedDates;
}

/** Name that it is kept under on this device. */
export const SAID = "earshot-said";

/** The build, browser and languages that words and dates were noted for: in others they may differ. */
export function saidFor(): string {
  return [__BUILD__, navigator.userAgent, ...navigator.languages].join(" ");
}

/** What was noted for this build, browser and languages; undefined before that. */
export function noted(): CachedStrings | undefined {
  try {
    const said = JSON.parse(kept(SAID) ?? "null") as CachedStrings | null;
    return said?.key === saidFor() ? said : undefined;
  } catch (error) {
    // Written by something else, and written anew once the app is at rest.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
