// Numbers, times and durations as people say them, by Intl. The clock is passed in.
import { createSubscriber } from "svelte/reactivity";
import { type Weekday, WEEKDAYS } from "../../contract";
import type { Texts } from "../../locales/texts";
import { dateOf, daysBetween } from "./dates";
import { DAY_MS } from "../../protocol";

const DATE_FORMS = {
  /** "14:02" */
  clock: { hour: "2-digit", minute: "2-digit" },
  /** "Thu 19 Nov" */
  weekday: { weekday: "short", day: "numeric", month: "short" },
  /** "19 Nov 2025" */
  withYear: { day: "numeric", month: "short", year: "numeric" },
  /** "Thursday 19 November" */
  longDay: { weekday: "long", day: "numeric", month: "long" },
  /** "Thursday 19 November 2025" */
  longDayYear: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  /** "Sat 21 Nov 2026, 02:14:07" */
  exact: {
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Made on first use: each takes part of a millisecond, and the first screen needs few of them. */
function whenAsked<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** The Intl formatters of one locale; `locale` is a tag such as `en-GB`. */
function formatsOf(locale: string) {
  const dates: Partial<Record<keyof typeof DATE_FORMS, Intl.DateTimeFormat>> = {};
  return {
    locale,
    numbers: whenAsked(() => new Intl.NumberFormat(locale)),
    since: whenAsked(() => new Intl.RelativeTimeFormat(locale)),
    days: whenAsked(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" })),
    lists: whenAsked(() => new Intl.ListFormat(locale, { type: "conjunction" })),
    date: (form: keyof typeof DATE_FORMS, ms: number) => {
      onTimes();
      dates[form] ??= new Intl.DateTimeFormat(locale, DATE_FORMS[form]);
      return dates[form].format(dateOf(ms)).replace(",", "");
    },
  };
}

let spoken: { locale: string; texts: Texts["formats"] };
let formats: ReturnType<typeof formatsOf>;

/** Tells what is on the screen that times are now written differently. */
let retell = (): void => undefined;
const onTimes = createSubscriber((update) => {
  retell = update;
});

/** Formats numbers and times by another locale from now on. */
export function formatFor(locale: string, texts: Texts["formats"] = spoken.texts): void {
  spoken = { locale, texts };
  formats = formatsOf(locale);
  retell();
}

/** The tag for text without a language. */
export const NO_LANGUAGE = "zxx";

/** The current locale; what reads it is updated when it changes. `NO_LANGUAGE` while the page changes its language. */
export function localeSpoken(): string {
  onTimes();
  return spoken.locale;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A number with thousands separators. */
export function count(n: number): string {
  return formats.numbers().format(n);
}

/** "a, b and c". */
export function list(items: readonly string[]): string {
  return formats.lists().format(items);
}

const KILO = 1000;
const byteUnits = ["kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Bytes in the unit that fits: "284 kB". */
export function bytes(size: number): string {
  if (size < KILO) return spoken.texts.byte({ count: size });
  const step = Math.min(Math.floor(Math.log10(size) / 3), byteUnits.length);
  const unit = byteUnits[step - 1] ?? "terabyte";
  const digits = { style: "unit", unit, maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(formats.locale, digits).format(size / KILO ** step);
}

/** A duration in its two largest units: "6 h 12 min", "12 s". */
export function duration(ms: number): string {
  const { texts } = spoken;
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return texts.seconds({ n: count(seconds) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return texts.minutes({ n: count(minutes) });
  const hours = Math.floor(minutes / 60);
  const shownHours = texts.hours({ n: count(hours % 24) });
  if (hours < 24) return minutes % 60 ? `${shownHours} ${texts.minutes({ n: count(minutes % 60) })}` : shownHours;
  const days = texts.day({ count: Math.floor(hours / 24) });
  return hours % 24 ? `${days} ${shownHours}` : days;
}

/** The same, with a short time in tenths of a second: "3.2 s". */
export function delay(ms: number): string {
  if (ms >= 10_000) return duration(ms);
  const tenth = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return spoken.texts.seconds({ n: (ms / 1000).toLocaleString(formats.locale, tenth) });
}

/** How long ago, in one unit: "now", "3 s ago", "4 min ago", "6 h ago", "2 days ago". */
export function ago(ms: number): string {
  const past = dateOf(ms).getTime();
  if (past < 1000) return spoken.texts.now;
  // Intl inflects the word for days; for smaller units its texts are longer than the symbols.
  if (past >= DAY_MS) return formats.since().format(-Math.floor(past / DAY_MS), "day");
  return spoken.texts.ago({ length: duration(inOneUnit(past)) });
}

/** A duration reduced to its largest unit, ms. */
export function inOneUnit(ms: number): number {
  const unit = [DAY_MS, HOUR_MS, MINUTE_MS, 1].find((unit) => ms >= unit) ?? 1;
  return Math.floor(ms / unit) * unit;
}

/** The same for text that is always there: one text for the first minute, so that it isn't redrawn each second. */
export function roughlyAgo(ms: number, justNow = spoken.texts.now): string {
  return ms < MINUTE_MS ? justNow : ago(ms);
}

/** "14:02". */
export function timeOfDay(ms: number): string {
  return formats.date("clock", ms);
}

/** Where a moment is shown: alone, or within a sentence, where "tomorrow" has no capital letter. */
type TimeContext = "alone" | "within";

/** The name of a day by how many days ago it was, "Yesterday"; undefined for days further away. */
function nameOfDay(days: number, place: TimeContext): string | undefined {
  if (Math.abs(days) > 1) return undefined;
  const name = formats.days().format(-days, "day");
  return place === "within" ? name : name.charAt(0).toLocaleUpperCase(formats.locale) + name.slice(1);
}

/** Whether two moments are in the same year, by the device's clock. */
const isSameYear = (a: number, b: number): boolean => dateOf(a).getFullYear() === dateOf(b).getFullYear();

/** A moment as people say it: "14:02", "Yesterday 23:47", "Tomorrow 08:00", "Thu 19 Nov", "19 Nov 2025". Times in ms. */
export function moment(ms: number, nowMs: number, place: TimeContext = "alone"): string {
  const days = daysBetween(ms, nowMs);
  if (days === 0) return timeOfDay(ms);
  const near = nameOfDay(days, place);
  if (near !== undefined) return `${near} ${timeOfDay(ms)}`;
  return formats.date(isSameYear(ms, nowMs) ? "weekday" : "withYear", ms);
}

/** The same, always with the time of day, for a moment that matters: "Mon 16 Nov 08:02". Times in ms. */
export function momentWithTime(ms: number, nowMs: number, place: TimeContext = "alone"): string {
  const day = moment(ms, nowMs, place);
  return Math.abs(daysBetween(ms, nowMs)) > 1 ? `${day} ${timeOfDay(ms)}` : day;
}

/** Heading of a day in the feed: "Today", "Yesterday", "Thursday 19 November". Times in ms. */
export function day(ms: number, nowMs: number): string {
  const near = nameOfDay(daysBetween(ms, nowMs), "alone");
  return near ?? formats.date(isSameYear(ms, nowMs) ? "longDay" : "longDayYear", ms);
}

/** The moment to the second: "Sat 21 Nov 2026, 02:14:07". In ms. */
export function exact(ms: number): string {
  return formats.date("exact", ms);
}

/** 4 January 1970 was a Sunday; UTC, ms. */
const SUNDAY_MS = 3 * DAY_MS;

/** Not every browser says on which day a locale's week begins; 1 = Monday … 7 = Sunday. */
interface WeekTeller {
  getWeekInfo?: () => { firstDay: number };
  weekInfo?: { firstDay: number };
}

/** The days of the week with their names, in the order of the user's locale, or from Monday on if the browser doesn't say. */
export function weekdays() {
  const { locale } = formats;
  const names = (weekday: "short" | "long") => new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" });
  const [short, long] = [names("short"), names("long")];
  const teller = new Intl.Locale(locale) as Intl.Locale & WeekTeller;
  const first = (teller.getWeekInfo?.() ?? teller.weekInfo)?.firstDay ?? 1;
  return WEEKDAYS.map((_, at) => ((first + at) % 7) as Weekday).map((day) => {
    const atMs = SUNDAY_MS + day * DAY_MS;
    return { day, short: short.format(atMs), long: long.format(atMs) };
  });
}

/** The formats that the texts' placeholders may name: `{{size, bytes}}`. */
export const FORMATS = { number: count, list, duration, bytes, time: timeOfDay };
