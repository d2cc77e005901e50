import {
  type Filter,
  type HAS_VALUES,
  type IS_VALUES,
  type RowFilter,
  type RowTerm,
  type FilterClock,
  resolveWhen,
} from "./filter-language";
import { type FeedList, type StoredMessage, isCurrent, isUnread, type RowMarks } from "../stored-message";
import type { HidingRule, ListQuery } from "./hides";
import { maskText } from "../repeat-key";
import { knownActions, messageText, priorityOf, type MessageEvent } from "../../protocol";

/** What a filter looks at: a message, and what happened to it here. */
export type FilterRow = RowMarks & Pick<StoredMessage, "event" | "starred">;

/** Text as it is compared in searches: lower-case, without the accents of Latin, Greek and Cyrillic. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  // Nearly all text is plain ASCII, which needs no normalising.
  if (!/[\u0080-\uffff]/.test(lower)) return lower;
  // A final sigma counts as a medial one, so that half a word finds the whole.
  return lower
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replaceAll("ς", "σ");
}

/** The text of a message; empty for bytes that aren't text. */
function bodyOf(event: MessageEvent): string {
  if (event.encoding === undefined) return event.message;
  const content = messageText(event);
  return content.kind === "text" ? content.text : "";
}

/** Where free text is searched: title, body, and the rest (tags and the attachment's name). */
export function searchParts(event: MessageEvent): { title: string; body: string; rest: string } {
  const { title = "", tags = [], attachment } = event;
  return { title, body: bodyOf(event), rest: `${tags.join(" ")}\n${attachment?.name ?? ""}` };
}

/** The same as one text, one part after the other. */
export function searchText(event: MessageEvent): string {
  const { title, body, rest } = searchParts(event);
  return `${title}\n${body}\n${rest}`;
}

type Predicate = (row: FilterRow) => boolean;

/** What `is:` asks for; "unread" means the same for filters and counters (docs/design.md §5). */
const MARKS: Readonly<Record<(typeof IS_VALUES)[number], Predicate>> = {
  unread: isUnread,
  read: ({ readAtMs }) => readAtMs !== undefined,
  starred: ({ starred }) => starred !== undefined,
  done: ({ doneAtMs }) => doneAtMs !== undefined,
  snoozed: ({ snoozedUntilMs }) => snoozedUntilMs !== undefined,
};

/** What `has:` asks for. */
export function hasPart(event: MessageEvent, what: (typeof HAS_VALUES)[number]): boolean {
  return what === "actions" ? knownActions(event).length > 0 : Boolean(event[what]);
}

function compileTerm(term: RowTerm, clock: FilterClock): Predicate {
  switch (term.kind) {
    case "priority":
      return ({ event }) => term.values.includes(priorityOf(event));
    case "tags": {
      const wanted = term.values.map((tag) => tag.toLowerCase());
      return ({ event }) => {
        const tags = event.tags?.map((tag) => tag.toLowerCase());
        return tags !== undefined && wanted.every((tag) => tags.includes(tag));
      };
    }
    case "contains": {
      const wanted = foldText(term.text);
      const { field } = term;
      return ({ event }) => foldText(field === "title" ? (event.title ?? "") : bodyOf(event)).includes(wanted);
    }
    case "equals":
    case "like": {
      const form = (text = ""): string => (term.kind === "like" ? maskText(text) : text).toLowerCase();
      const wanted = form(term.text);
      const { field } = term;
      return ({ event }) => form(field === "message" ? bodyOf(event) : event[field]) === wanted;
    }
    case "text": {
      const wanted = foldText(term.text);
      return ({ event }) => foldText(searchText(event)).includes(wanted);
    }
    case "is":
      return MARKS[term.what];
    case "has":
      return ({ event }) => hasPart(event, term.what);
    case "after": {
      const time = resolveWhen(term.written, clock) ?? -Infinity;
      return ({ event }) => event.time >= time;
    }
    case "before": {
      const time = resolveWhen(term.written, clock) ?? Infinity;
      return ({ event }) => event.time < time;
    }
  }
}

/** Prepares a filter for many messages: dates and folded text are computed once. */
export function compileFilter(filter: RowFilter, clock: FilterClock): Predicate {
  const tests = filter.terms.map((term) => ({ not: term.not, holds: compileTerm(term, clock) }));
  return (row) => tests.every(({ not, holds }) => holds(row) !== not);
}

/** The span of `time` outside which no message can match, Unix seconds: `from` inclusive, `before` exclusive. */
export function timeRangeOf(filter: Filter, clock: FilterClock): { from: number; before: number } {
  const range = { from: -Infinity, before: Infinity };
  for (const term of filter.terms) {
    if (term.kind !== "after" && term.kind !== "before") continue;
    const time = resolveWhen(term.written, clock);
    if (time === undefined) continue;
    if ((term.kind === "after") !== term.not) range.from = Math.max(range.from, time);
    else range.before = Math.min(range.before, time);
  }
  return range;
}

/** Tests whether rules hide a row; they never hide an urgent one. Device clock, ms. */
export function isHiddenBy(rules: readonly HidingRule[], nowMs: number): (row: StoredMessage) => boolean {
  const bySubId = new Map<number, Predicate[]>();
  for (const { subId, filter } of rules) {
    bySubId.set(subId, [...(bySubId.get(subId) ?? []), compileFilter(filter, { nowMs })]);
  }
  return (row) => priorityOf(row.event) < 5 && (bySubId.get(row.subId)?.some((matches) => matches(row)) ?? false);
}

/** Makes a test for whether a row is in a list, by its marks. */
export function isListedIn(list: FeedList, filter: Filter | undefined): (row: StoredMessage) => boolean {
  switch (list) {
    case "scheduled":
      return (row) => row.scheduled !== undefined && row.deletedAtMs === undefined;
    case "starred":
      return (row) => isCurrent(row) && row.starred !== undefined;
    case "done":
      return (row) => isCurrent(row) && row.doneAtMs !== undefined;
    case "snoozed":
      return (row) => isCurrent(row) && row.doneAtMs === undefined && row.snoozedUntilMs !== undefined;
    case "feed": {
      const withDone = asksFor(filter, "done");
      const withSnoozed = asksFor(filter, "snoozed");
      return (row) =>
        isCurrent(row) && (withDone || row.doneAtMs === undefined) && (withSnoozed || row.snoozedUntilMs === undefined);
    }
  }
}

/** Whether the filter asks for what a feed otherwise leaves out: done or snoozed messages. */
export function asksFor(filter: Filter | undefined, what: "done" | "snoozed"): boolean {
  return filter?.terms.some((term) => term.kind === "is" && term.what === what && !term.not) ?? false;
}

/** Tests whether a row is in a list of these subscriptions (absent = all) and passes the filter. Device clock, ms. */
export function belongsTo(
  { list, subIds, filter, hidden = [] }: Pick<ListQuery, "list"> & Partial<ListQuery>,
  nowMs: number,
): (row: StoredMessage) => boolean {
  const wanted = subIds && new Set(subIds);
  const isListed = isListedIn(list, filter);
  const passes = filter && compileFilter(filter, { nowMs });
  const isHidden = isHiddenBy(hidden, nowMs);
  return (row) => (wanted?.has(row.subId) ?? true) && isListed(row) && (passes?.(row) ?? true) && !isHidden(row);
}
