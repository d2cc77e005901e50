import { dateOf } from "../strings";

/** A moment at which a snoozed message may return. */
export interface SnoozeTime {
  name: "hour" | "morning" | "evening" | "tomorrow" | "monday";
  /** Device clock, ms. */
  atMs: number;
}

const HOUR_MS = 3_600_000;
/** When an evening and a working day begin, hours of the device's clock. */
const EVENING_H = 18;
const MORNING_H = 8;

const MONDAY = 1;

/** An hour of a day to come, ms by the device's calendar. */
function hourOf(nowMs: number, days: number, hour: number): number {
  const now = dateOf(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour).getTime();
}

/** When people start to look at their messages next, at least an hour ahead, ms: at night, it is the same day. */
export function nextMorning(nowMs: number): number {
  const morningMs = hourOf(nowMs, 0, MORNING_H);
  return morningMs > nowMs + HOUR_MS ? morningMs : hourOf(nowMs, 1, MORNING_H);
}

/** The offered moments, soonest first, by the device's calendar. What is less than an hour away is left out. */
export function snoozeTimes(nowMs: number): SnoozeTime[] {
  const times: SnoozeTime[] = [{ name: "hour", atMs: nowMs + HOUR_MS }];
  const eveningMs = hourOf(nowMs, 0, EVENING_H);
  if (eveningMs > nowMs + HOUR_MS) times.push({ name: "evening", atMs: eveningMs });
  const [nextMs, tomorrowMs] = [nextMorning(nowMs), hourOf(nowMs, 1, MORNING_H)];
  if (nextMs < tomorrowMs) times.push({ name: "morning", atMs: nextMs });
  times.push({ name: "tomorrow", atMs: tomorrowMs });
  const toMonday = (MONDAY - dateOf(nowMs).getDay() + 7) % 7 || 7;
  if (toMonday > 1) times.push({ name: "monday", atMs: hourOf(nowMs, toMonday, MORNING_H) });
  return times.sort((a, b) => a.atMs - b.atMs);
}
