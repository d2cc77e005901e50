import type { PageQuery, Reader } from "../../client";
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

/** How many messages are read at a time. */
const PAGE = 250;

/** Further repeats are neither read nor counted, as a larger number says no more. */
export const MAX_SEEN = 5_000;

/** Where delivered messages are. Each is in one of these lists. */
const LISTS: readonly FeedList[] = ["feed", "done", "snoozed"];

/** At most this many characters of the text are searched for. */
const LONGEST_WORDS = 100;

/** The longest stretch of a masked text that is the same in all repeats; undefined if nothing is worth searching for. */
function fixedWords(masked: string): string | undefined {
  const parts = masked.split(new RegExp(`[${MASK}\n\r]`)).map((part) => part.trim());
  const longest = parts.reduce((a, b) => (b.length > a.length ? b : a), "");
  return longest === "" ? undefined : longest.slice(0, LONGEST_WORDS).trim();
}

/** A filter that lets every repeat of a message through, and few others, so that few are read. */
function searchFor(title: string, text: string): RowFilter {
  const term = (field: "title" | "message", words: string | undefined): RowTerm[] =>
    words === undefined ? [] : [{ kind: "contains", not: false, field, text: words }];
  return { terms: [...term("title", fixedWords(title)), ...term("message", fixedWords(text))] };
}

/**
 * Finds the stored repeats of a message in its topic, among them itself, page by page and newest first within each list; a page may hold
 * none. Ends early once `MAX_SEEN` were found.
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
      const query: PageQuery = { subIds: [subId], list, filter, direction: "older", count: PAGE, nowMs };
      const page = await reader.page({ ...query, ...(from && { from }) });
      const repeats = page.rows.filter((row) => repeatKey(row.event) === key);
      found += repeats.length;
      yield repeats;
      from = page.next;
    } while (from && found < MAX_SEEN);
  }
}
