import { type Weekday, WEEKDAYS } from "../../contract";
import { datesSpoken } from "./format";

/** A day of the week, with its names in the user's language. */
export interface NamedWeekday {
  day: Weekday;
  short: string;
  long: string;
}

/** 4 January 1970 was a Sunday; UTC, ms. */
const SUNDAY_MS = 3 * 86_400_000;

/** Not every browser tells on which day a locale's week begins; 1 = Monday … 7 = Sunday. */
interface WeekTeller {
  getWeekInfo?: () => { firstDay: number };
  weekInfo?: { firstDay: number };
}

/** The days of the week, in the order of the user's locale, or from Monday on where the browser doesn't tell it. */
export function weekdays(): NamedWeekday[] {
  const { locale } = datesSpoken();
  const names = (weekday: "short" | "long") => new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" });
  const [short, long] = [names("short"), names("long")];
  const teller = new Intl.Locale(locale) as Intl.Locale & WeekTeller;
  const first = (teller.getWeekInfo?.() ?? teller.weekInfo)?.firstDay ?? 1;
  return WEEKDAYS.map((_, at) => ((first + at) % 7) as Weekday).map((day) => {
    const atMs = SUNDAY_MS + day * 86_400_000;
    return { day, short: short.format(atMs), long: long.format(atMs) };
  });
}
