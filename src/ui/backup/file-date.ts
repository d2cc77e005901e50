import { dateOf } from "../strings/dates";

/** The day of a moment (ms) as names of files have it, `2026-11-24`, by the device's clock. */
export function fileDate(ms: number): string {
  const date = dateOf(ms);
  const digits = (number: number): string => String(number).padStart(2, "0");
  return `${String(date.getFullYear())}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`;
}
