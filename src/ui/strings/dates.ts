// Moments as dates. Times in ms.
import { DAY_MS } from "../../protocol";

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

/** A moment, ms, in the format of a date and time field, by the device's clock: `2026-11-24T14:02`. */
export function fieldTime(ms: number): string {
  const date = dateOf(ms);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Its calendar day: `2026-11-24`. */
export function dayOf(ms: number): string {
  return fieldTime(ms).replace(/T.*/, "");
}

/** Whole days between the calendar days of two moments, by the device's clock. */
export function daysBetween(earlierMs: number, laterMs: number): number {
  const midnight = (ms: number) => dateOf(ms).setHours(0, 0, 0, 0);
  return Math.round((midnight(laterMs) - midnight(earlierMs)) / DAY_MS);
}
