// Times as people write them, in English and German. Loaded when there may be one, because the library is large.
import { casual as german } from "chrono-node/de";
import { casual as english } from "chrono-node/en";
import { resolveWhen } from "../../../contract";
import { dateOf, fieldTime, filterStrings, moment, momentWithTime } from "../../strings";
import { splitDraft } from "./filter-draft.svelte";
import type { Suggestion } from "./suggest";

/** A time at the end of a text: where it begins in the text, and what it means, Unix ms. */
interface WrittenTime {
  at: number;
  fromMs: number;
  /** The moment after its end. */
  toMs: number;
}

type Found = ReturnType<typeof english.parse>[number];

/** Longest text in which a time is looked for, in characters: looking is slow. */
const MOST = 64;

/** The hours that a word such as "evening" means. */
const PARTS = { morning: [5, 12], noon: [11, 14], afternoon: [12, 18], evening: [17, 24], tonight: [17, 24] } as const;

/** A calendar week, which the library takes for a day of it. */
const WEEK = /^(?:this|diese|(last|past|letzte))r? (?:week|woche)$/i;

/** Words before a time that belong to it but that the library leaves behind. */
const BEFORE =
  /(?<![\p{L}\p{N}])(?:since|after|before|until|from|on|at|am|ab|bis|nach|seit|von|vor|letzte[mnrs]?)\s+$/iu;

/** Reads the time at the end of a text. A weekday, a time of day or a date without a year means the last one. */
export function timeAtEnd(text: string, nowMs: number): WrittenTime | undefined {
  const skipped = Math.max(0, text.length - MOST);
  const end = text.slice(skipped);
  const [found] = [english, german]
    .flatMap((language) => language.parse(end, dateOf(nowMs)))
    .filter((one) => !one.end && one.index + one.text.length === end.length)
    .sort((a, b) => a.index - b.index);
  if (!found) return undefined;
  const before = BEFORE.exec(end.slice(0, found.index))?.[0].length ?? 0;
  return { at: skipped + found.index - before, ...spanOf(found, nowMs) };
}

function spanOf({ start, text }: Found, nowMs: number): Omit<WrittenTime, "at"> {
  const [week, isLast] = WEEK.exec(text) ?? [];
  if (week) {
    const monday = dateOf(nowMs);
    monday.setHours(0, 0, 0, 0);
    monday.setDate(monday.getDate() - ((monday.getDay() + 6) % 7) - (isLast ? 7 : 0));
    return { fromMs: monday.getTime(), toMs: monday.setDate(monday.getDate() + 7) };
  }
  const [hasYear, hasMonth, hasDay, hasWeekday, hasHour] = (["year", "month", "day", "weekday", "hour"] as const).map(
    (part) => start.isCertain(part),
  );
  const from = start.date();
  if (hasHour) from.setSeconds(0, 0);
  else from.setHours(0, 0, 0, 0);
  if (from.getTime() > nowMs) {
    if (hasWeekday && !hasDay) from.setDate(from.getDate() - 7);
    else if (hasHour && !hasDay) from.setDate(from.getDate() - 1);
    else if (hasMonth && !hasYear) from.setFullYear(from.getFullYear() - 1);
  }
  const to = dateOf(from.getTime());
  const part = Object.entries(PARTS).find(([name]) => start.tags().has(`casualReference/${name}`))?.[1];
  if (part) {
    from.setHours(part[0]);
    to.setHours(part[1]);
  } else if (hasHour) to.setMinutes(to.getMinutes() + 1);
  else if (hasMonth && !hasDay && !hasWeekday) {
    from.setDate(1);
    to.setMonth(to.getMonth() + 1, 1);
  } else to.setDate(to.getDate() + 1);
  return { fromMs: from.getTime(), toMs: to.getTime() };
}

/** Filters for the time at the end of a draft: since then, during it and before it, or the one being written. */
export function timeOffers(draft: string, nowMs: number): Suggestion[] {
  const time = timeAtEnd(draft.replace(/"$/, ""), nowMs);
  if (!time) return [];
  const { at, fromMs, toMs } = time;
  const isMidnight = (ms: number) => fieldTime(ms).endsWith("T00:00");
  const [from, to] = [fromMs, toMs].map((ms) => fieldTime(ms).replace("T00:00", ""));
  const said = (ms: number) => (isMidnight(ms) ? moment : momentWithTime)(ms, nowMs, "within");
  const since = { text: `after:${from}`, label: filterStrings.since({ time: said(fromMs) }) };
  const before = { text: `before:${from}`, label: filterStrings.until({ time: said(fromMs) }) };
  const during = {
    text: `after:${from} before:${to}`,
    label: filterStrings.during({ from: said(fromMs), to: said(toMs) }),
  };
  const offer = (start: number, offers: { text: string; label: string }[]) =>
    offers.map((one) => ({ ...one, hint: one.text, isWhole: true, start }));
  const [asked, not = "", field] = /(?<!\S)(-?)(after|before):"?$/i.exec(draft.slice(0, at)) ?? [];
  if (asked !== undefined) {
    if (resolveWhen(draft.slice(at), { nowMs }) !== undefined) return [];
    const { text, label } = field?.toLowerCase() === "after" ? since : before;
    return offer(at - asked.length, [{ text: not + text, label }]);
  }
  if (splitDraft(draft).tail.includes('"')) return [];
  // A minute is too short to be worth searching.
  return offer(at, toMs - fromMs > 60_000 ? [since, during, before] : [since, before]);
}
