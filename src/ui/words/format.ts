// Numbers, times and lengths as people say them, by Intl. The clock is given.

/** What is said around a number or a moment. */
export interface FormatWords {
  now: string;
  /** `length` is a length of time, said already. */
  ago: (length: string) => string;
  today: string;
  yesterday: string;
  tomorrow: string;
  day: { one: string; other: string };
  byte: { one: string; other: string };
}

const english: FormatWords = {
  now: "now",
  ago: (length) => `${length} ago`,
  today: "Today",
  yesterday: "Yesterday",
  tomorrow: "Tomorrow",
  day: { one: "day", other: "days" },
  byte: { one: "byte", other: "bytes" },
};

/** Made when first asked for: each costs a part of a millisecond, and the first screen needs few of them. */
function whenAsked<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** What Intl knows of a place: `locale` is a tag such as `en-GB`. */
function formatsOf(locale: string, said: FormatWords) {
  const times = (options: Intl.DateTimeFormatOptions) => whenAsked(() => new Intl.DateTimeFormat(locale, options));
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const date = { day: "numeric", month: "short" } as const;
  const longDate = { weekday: "long", day: "numeric", month: "long" } as const;
  return {
    locale,
    said,
    numbers: whenAsked(() => new Intl.NumberFormat(locale)),
    plurals: whenAsked(() => new Intl.PluralRules(locale)),
    lists: whenAsked(() => new Intl.ListFormat(locale, { type: "conjunction" })),
    clock: times(time),
    weekday: times({ weekday: "short", ...date }),
    withYear: times({ ...date, year: "numeric" }),
    longDay: times(longDate),
    longDayYear: times({ ...longDate, year: "numeric" }),
    exactly: times({ weekday: "short", ...date, year: "numeric", ...time, second: "2-digit" }),
  };
}

let formats = formatsOf("en-GB", english);

/** Says numbers and times as in another place from now on; without words of its own, in English. */
export function formatFor(locale: string, said: FormatWords = english): void {
  formats = formatsOf(locale, said);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A number with its thousands apart and, if given, its unit in the right form. */
export function count(n: number, unit?: { one: string; other: string }): string {
  const shown = formats.numbers().format(n);
  return unit ? `${shown} ${formats.plurals().select(n) === "one" ? unit.one : unit.other}` : shown;
}

/** "a, b and c". */
export function list(items: string[]): string {
  return formats.lists().format(items);
}

const KILO = 1000;
const byteUnits = ["kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Bytes in the unit that fits: "284 kB". */
export function bytes(size: number): string {
  if (size < KILO) return count(size, formats.said.byte);
  const step = Math.min(Math.floor(Math.log10(size) / 3), byteUnits.length);
  const unit = byteUnits[step - 1] ?? "terabyte";
  const digits = { style: "unit", unit, maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(formats.locale, digits).format(size / KILO ** step);
}

/** A length of time in its two largest units: "6 h 12 min", "12 s". */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${String(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 ? `${String(hours)} h ${String(minutes % 60)} min` : `${String(hours)} h`;
  const days = Math.floor(hours / 24);
  const dayWords = count(days, formats.said.day);
  return hours % 24 ? `${dayWords} ${String(hours % 24)} h` : dayWords;
}

/** How long ago, in one unit: "now", "3 s ago", "4 min ago", "6 h ago", "2 days ago". */
export function ago(ms: number): string {
  if (ms < 1000) return formats.said.now;
  if (ms < MINUTE_MS) return formats.said.ago(duration(ms));
  const unit = ms < HOUR_MS ? MINUTE_MS : ms < DAY_MS ? HOUR_MS : DAY_MS;
  return formats.said.ago(duration(Math.floor(ms / unit) * unit));
}

/** Whole days between the calendar days of two moments, by the device's clock. */
function daysBetween(earlierMs: number, laterMs: number): number {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  return Math.round((midnight(laterMs) - midnight(earlierMs)) / DAY_MS);
}

/** "14:02". */
export function timeOfDay(ms: number): string {
  return formats.clock().format(ms);
}

/** Where a moment is said: alone, or after other words, where "tomorrow" has no capital. */
type Place = "alone" | "within";

/** A moment as people say it: "14:02", "Yesterday 23:47", "Tomorrow 08:00", "Thu 19 Nov", "19 Nov 2025". Times in ms. */
export function moment(ms: number, nowMs: number, place: Place = "alone"): string {
  const days = daysBetween(ms, nowMs);
  if (days === 0) return timeOfDay(ms);
  const { yesterday, tomorrow } = formats.said;
  const near = days === 1 ? yesterday : days === -1 ? tomorrow : undefined;
  if (near) return `${place === "within" ? near.toLocaleLowerCase(formats.locale) : near} ${timeOfDay(ms)}`;
  const sameYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
  return (sameYear ? formats.weekday : formats.withYear)().format(ms).replace(",", "");
}

/** The same with the time of day in every case, for a moment that matters: "Mon 16 Nov 08:02". Times in ms. */
export function momentWithTime(ms: number, nowMs: number, place: Place = "alone"): string {
  const said = moment(ms, nowMs, place);
  return Math.abs(daysBetween(ms, nowMs)) > 1 ? `${said} ${formats.clock().format(ms)}` : said;
}

/** Heading of a day in the feed: "Today", "Yesterday", "Thursday 19 November". Times in ms. */
export function day(ms: number, nowMs: number): string {
  const days = daysBetween(ms, nowMs);
  if (days === 0) return formats.said.today;
  if (days === 1) return formats.said.yesterday;
  if (days === -1) return formats.said.tomorrow;
  const sameYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
  return (sameYear ? formats.longDay : formats.longDayYear)().format(ms).replace(",", "");
}

/** The moment to the second: "Sat 21 Nov 2026, 02:14:07". In ms. */
export function exact(ms: number): string {
  return formats.exactly().format(ms).replace(",", "");
}
