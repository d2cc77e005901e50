import type { Reader } from "../../client";
import {
  type FeedList,
  MASK,
  maskedTexts,
  type Position,
  repeatKey,
  type RowFilter,
  type RowTerm,
  type StoredMessage,
} from "../../contract";

/** How many bars stand side by side, at most; none is for less than a minute. */
const MAX_BARS = 48;
const MINUTE_MS = 60_000;

/** How many moments, ms, fall into each of equal steps of time, and the index of one's. @param moments at least one */
export function timeBars(moments: readonly number[]) {
  const first = moments.reduce((a, b) => Math.min(a, b));
  const last = moments.reduce((a, b) => Math.max(a, b));
  const stepMs = Math.max(MINUTE_MS, (last - first) / (MAX_BARS - 1));
  const indexOf = (ms: number): number => Math.floor((ms - first) / stepMs);
  const counts = new Array<number>(indexOf(last) + 1).fill(0);
  for (const ms of moments) counts[indexOf(ms)] = (counts[indexOf(ms)] ?? 0) + 1;
  return { counts, indexOf };
}

/** How many messages are read at a time. */
const PAGE = 250;

/** Further repeats aren't read or counted: a larger number would say nothing more. */
export const MAX_SEEN = 5_000;

/** The lists of delivered messages; each is in one of them. */
const LISTS: readonly FeedList[] = ["feed", "done", "snoozed"];

/** How many characters of the text are searched for, at most. */
const LONGEST_WORDS = 100;

/** The longest part of a masked text shared by all repeats; undefined if nothing is worth searching for. */
function fixedWords(masked: string): string | undefined {
  const parts = masked.split(new RegExp(`[${MASK}\n\r]`)).map((part) => part.trim());
  const longest = parts.reduce((a, b) => (b.length > a.length ? b : a), "");
  return longest === "" ? undefined : longest.slice(0, LONGEST_WORDS).trim();
}

/** A filter that passes every repeat of a message and little else, so that little is read. */
function searchFor(title: string, text: string): RowFilter {
  const term = (field: "title" | "message", words: string | undefined): RowTerm[] =>
    words === undefined ? [] : [{ kind: "contains", not: false, field, text: words }];
  return { terms: [...term("title", fixedWords(title)), ...term("message", fixedWords(text))] };
}

/**
 * Finds the stored repeats of a message in its topic, itself included, page by page, newest first within each list; a
 * page may be empty. Ends at `MAX_SEEN`.
 */
export async function* readRepeats(
  reader: Pick<Reader, "page">,
  { subId, event }: StoredMessage,
  nowMs: number,
): AsyncGenerator<StoredMessage[]> {
  const masked = maskedTexts(event);
  if (!masked) return;
  const key = repeatKey(event);
  const filter = searchFor(...masked);
  let found = 0;
  for (const list of LISTS) {
    let from: Position | undefined;
    do {
      const page = await reader.page({ subIds: [subId], list, filter, from, direction: "older", count: PAGE, nowMs });
      const repeats = page.rows.filter((row) => repeatKey(row.event) === key);
      found += repeats.length;
      yield repeats;
      from = page.next;
    } while (from && found < MAX_SEEN);
  }
}
