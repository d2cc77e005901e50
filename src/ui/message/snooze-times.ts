import { dateOf } from "../strings";

/** A moment at which a snoozed message may return. */
export interface SnoozeTime {
  name: "hour" | "evening" | "tomorrow" | "monday";
  /** Device clock, ms. */
  atMs: number;
}

const HOUR_MS = 3_600_000;
/** When an evening and a working day begin, hours. */
const EVENING_H = 18;
const MORNING_H = 8;

const MONDAY = 1;

/** The offered moments, soonest first, by the device's calendar. An evening less than an hour away is left out. */
export function snoozeTimes(nowMs: number): SnoozeTime[] {
  const now = dateOf(nowMs);
  const at = (days: number, hour: number): number =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour).getTime();
  const times: SnoozeTime[] = [{ name: "hour", atMs: nowMs + HOUR_MS }];
  const eveningMs = at(0, EVENING_H);
  if (eveningMs > nowMs + HOUR_MS) times.push({ name: "evening", atMs: eveningMs });
  times.push({ name: "tomorrow", atMs: at(1, MORNING_H) });
  const toMonday = (MONDAY - now.getDay() + 7) % 7 || 7;
  if (toMonday > 1) times.push({ name: "monday", atMs: at(toMonday, MORNING_H) });
  return times.sort((a, b) => a.atMs - b.atMs);
}
