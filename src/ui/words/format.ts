// Numbers, times and lengths as people say them, by Intl. Pure: the clock and the language are given.

/** Language of the words; a catalogue in another language changes it. */
export const LANGUAGE = "en-GB";

const numbers = new Intl.NumberFormat("en");
const plurals = new Intl.PluralRules(LANGUAGE);
const lists = new Intl.ListFormat(LANGUAGE, { type: "conjunction" });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A number with its thousands apart and, if given, its unit in the right form. */
export function count(n: number, unit?: { one: string; other: string }): string {
  const shown = numbers.format(n);
  return unit ? `${shown} ${plurals.select(n) === "one" ? unit.one : unit.other}` : shown;
}

/** "a, b and c". */
export function list(items: string[]): string {
  return lists.format(items);
}

const KILO = 1000;
const byteUnits = ["kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Bytes in the unit that fits: "284 kB". */
export function bytes(size: number): string {
  if (size < KILO) return count(size, { one: "byte", other: "bytes" });
  const step = Math.min(Math.floor(Math.log10(size) / 3), byteUnits.length);
  const unit = byteUnits[step - 1] ?? "terabyte";
  const digits = { style: "unit", unit, maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(LANGUAGE, digits).format(size / KILO ** step);
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
  const dayWords = count(days, { one: "day", other: "days" });
  return hours % 24 ? `${dayWords} ${String(hours % 24)} h` : dayWords;
}

/** How long ago, in one unit: "now", "3 s ago", "4 min ago", "6 h ago", "2 days ago". */
export function ago(ms: number): string {
  if (ms < 1000) return "now";
  if (ms < MINUTE_MS) return `${duration(ms)} ago`;
  const unit = ms < HOUR_MS ? MINUTE_MS : ms < DAY_MS ? HOUR_MS : DAY_MS;
  return `${duration(Math.floor(ms / unit) * unit)} ago`;
}

const clock = new Intl.DateTimeFormat(LANGUAGE, { hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(LANGUAGE, { weekday: "short", day: "numeric", month: "short" });
const withYear = new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "short", year: "numeric" });
const longDay = new Intl.DateTimeFormat(LANGUAGE, { weekday: "long", day: "numeric", month: "long" });
const longDayYear = new Intl.DateTimeFormat(LANGUAGE, {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});
const exactly = new Intl.DateTimeFormat(LANGUAGE, {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** Whole days between the calendar days of two moments, by the device's clock. */
function daysBetween(earlierMs: number, laterMs: number): number {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  return Math.round((midnight(laterMs) - midnight(earlierMs)) / DAY_MS);
}

/** "14:02". */
export function timeOfDay(ms: number): string {
  return clock.format(ms);
}

/** A moment as people say it: "14:02", "Yesterday 23:47", "Tomorrow 08:00", "Thu 19 Nov", "19 Nov 2025". Times in ms. */
export function moment(ms: number, nowMs: number): string {
  const days = daysBetween(ms, nowMs);
  if (days === 0) return clock.format(ms);
  if (days === 1) return `Yesterday ${clock.format(ms)}`;
  if (days === -1) return `Tomorrow ${clock.format(ms)}`;
  const sameYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
  return (sameYear ? weekday : withYear).format(ms).replace(",", "");
}

/** The same with the time of day in every case, for a moment that matters: "Mon 16 Nov 08:02". Times in ms. */
export function momentWithTime(ms: number, nowMs: number): string {
  const said = moment(ms, nowMs);
  return Math.abs(daysBetween(ms, nowMs)) > 1 ? `${said} ${clock.format(ms)}` : said;
}

/** Heading of a day in the feed: "Today", "Yesterday", "Thursday 19 November". Times in ms. */
export function day(ms: number, nowMs: number): string {
  const days = daysBetween(ms, nowMs);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days === -1) return "Tomorrow";
  const sameYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
  return (sameYear ? longDay : longDayYear).format(ms).replace(",", "");
}

/** The moment to the second: "Sat 21 Nov 2026, 02:14:07". In ms. */
export function exact(ms: number): string {
  return exactly.format(ms).replace(",", "");
}
