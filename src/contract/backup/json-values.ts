// Checks of values in files that may come from anyone.
import { LATEST_TIME_S } from "../../protocol";

/** A parsed JSON object; what its fields hold has yet to be checked. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** How far past events may be ahead of the device's clock, seconds: clocks differ, but not by more. */
export const MOST_AHEAD_S = 86_400;

/** How far ahead plans, such as a snooze or a delivery, may be, seconds: ten years. */
export const MOST_PLANNED_S = 3_653 * 86_400;

/** Unix seconds up to the year 9999. */
export function isTime(value: unknown): value is number {
  return isCount(value) && value <= LATEST_TIME_S;
}

/** Device clock, ms, up to the year 9999. */
export function isMoment(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= LATEST_TIME_S * 1_000;
}
