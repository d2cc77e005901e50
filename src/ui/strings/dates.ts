// Words and formats for dates. Times in ms.

const DAY_MS = 24 * 60 * 60_000;

/** The largest time that a `Date` can hold, ms: beyond it a `Date` is invalid, and formatting it throws. */
const FURTHEST_MS = 8_640_000_000_000_000;

/** The moment, ms, as a valid `Date`. Accepts any number, as servers may send any. */
export function dateOf(ms: number): Date {
  return new Date(Math.min(Math.max(ms || 0, -FURTHEST_MS), FURTHEST_MS));
}

/** The moment, ms, as ISO text for a `datetime` attribute or technical details. */
export function isoTime(ms: number): string {
  return dateOf(ms).toISOString();
}

/** The calendar day of a moment, ms, by the device's clock, as a text to compare. */
export function dayOf(ms: number): string {
  return dateOf(ms).toDateString();
}

/** Names of the days around today. */
export interface DayNames {
  today: string;
  yesterday: string;
  tomorrow: string;
}

/** Ways to write a date. */
export const DATE_FORMS = {
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
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Whole days between the calendar days of two moments, by the device's clock. */
export function daysBetween(earlierMs: number, laterMs: number): number {
  const midnight = (ms: number) => dateOf(ms).setHours(0, 0, 0, 0);
  return Math.round((midnight(laterMs) - midnight(earlierMs)) / DAY_MS);
}

/** The name of a day by how many days ago it was; undefined for days further away. */
export function nameOf(days: number, names: DayNames): string | undefined {
  if (days === 0) return names.today;
  if (days === 1) return names.yesterday;
  return days === -1 ? names.tomorrow : undefined;
}

/** Whether two moments are in the same year, by the device's clock. */
export const isSameYear = (a: number, b: number): boolean => dateOf(a).getFullYear() === dateOf(b).getFullYear();
