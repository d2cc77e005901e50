// What Everything leaves out (docs/design.md §6, "Hidden from Everything").
import { messageText, type MessageEvent } from "../../protocol";
import type { FeedList } from "../stored-message";
import { type Filter, formatFilter, isPlace, parseFilter, type RowFilter, type RowTerm } from "./filter-language";

/** Messages of a topic that Everything leaves out, unless they are urgent. */
export interface HidingRule {
  subId: number;
  filter: RowFilter;
}

/** What a filtered list shows. `subIds` absent = every topic. */
export interface ListQuery {
  list: FeedList;
  subIds?: number[];
  filter: RowFilter;
  /** What it leaves out; absent = nothing. */
  hidden?: HidingRule[];
}

/** How many rules a topic may have, and how long one may be, characters: they are written with each of its messages. */
export const MAX_HIDES = 30;
export const MAX_HIDE_LETTERS = 1_000;

/** Topics' rules, each written in the filter language; what can't be read hides nothing. */
export function hidingRules(topics: readonly { subId: number; hides?: readonly string[] }[]): HidingRule[] {
  return topics.flatMap(({ subId, hides = [] }) =>
    hides.flatMap((written) => {
      const read = parseFilter(written);
      const terms = read.ok ? read.value.terms.filter((term): term is RowTerm => !isPlace(term)) : [];
      return terms.length > 0 ? [{ subId, filter: { terms } }] : [];
    }),
  );
}

/** The rule for messages like this one: by its title or else its text. Undefined if they have neither. */
export function hideLike(event: MessageEvent): string | undefined {
  const content = messageText(event);
  const text = event.title ?? (content.kind === "text" ? content.text : "");
  if (text.trim() === "") return undefined;
  const field = event.title === undefined ? "message" : "title";
  const written = formatFilter({ terms: [{ not: false, kind: "like", field, text }] });
  return written.length > MAX_HIDE_LETTERS ? undefined : written;
}

/** Whether a filter of Everything leaves out what is hidden: all do except those that name words, tags or places. */
export function leavesOutHidden({ terms }: Filter): boolean {
  return terms.every(({ kind }) => ["priority", "is", "has", "after", "before"].includes(kind));
}
