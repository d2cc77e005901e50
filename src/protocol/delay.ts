import { casual } from "chrono-node/en";
import { parseDuration } from "./since";

const WORD_SECONDS: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };

/** Longest text read as a time, in characters: searching English text for times is slow. */
const MAX_DELAY_LENGTH = 64;

/** Seconds of `2d`, `30 min`, `3 hours`. */
function wordDuration(text: string): number | undefined {
  const form = /^(\d+)\s*(d|days?|h|hours?|m|mins?|minutes?|s|secs?|seconds?)$/i;
  const [, amount, unit = ""] = form.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (WORD_SECONDS[unit.charAt(0).toLowerCase()] ?? NaN);
}

/** The library's tag for words such as `morning` and `tonight`, which only imply an hour. */
const NAMED_HOURS = ["parser/ENCasualTimeParser", "casualReference/tonight"];

/** Words for times that may be in the past; the library would move these to the future. */
const PAST = /\b(?:last|past|this (?:morning|noon|afternoon|evening))\b/i;

/** Earliest hour of `tonight`: the library may read one as in the daytime, such as midnight as noon. */
const TONIGHT_FROM = 17;

/**
 * Reads an English time such as `tomorrow, 10am` in the reader's time zone; it may be in the past. A bare time of day
 * that has passed today means tomorrow; a day alone keeps the current time of day; a date without a year is the
 * nearest such date. Text that is only partly a time, such as a misspelt day, can't be read.
 */
function englishTime(text: string, nowMs: number): number | undefined {
  const now = new Date(nowMs);
  const isOver = PAST.test(text);
  let [found] = casual.parse(text, now, { forwardDate: !isOver });
  if (found?.start.isCertain("month") && !found.start.isCertain("year")) [found] = casual.parse(text, now);
  if (!found || found.end || /[\p{L}\p{N}]/u.test(text.replace(found.text, "").replace(/^(?:at|on)\b/i, "")))
    return undefined;
  const { start } = found;
  const date = start.date();
  const namesHour = start.isCertain("hour") || NAMED_HOURS.some((tag) => start.tags().has(tag));
  const namesDay = (["weekday", "day", "month", "year"] as const).some((part) => start.isCertain(part));
  if (namesDay && !namesHour) date.setHours(now.getHours(), now.getMinutes(), now.getSeconds(), 0);
  if (/\btonight\b/i.test(text) && date.getHours() < TONIGHT_FROM) return undefined;
  if (!namesDay && !isOver && date.getTime() <= nowMs) date.setDate(date.getDate() + 1);
  return Math.floor(date.getTime() / 1000);
}

/** Delivery time, Unix seconds: from seconds, a duration or English (docs/protocol.md §13); undefined = unreadable. */
export function parseDelay(text: string, nowMs: number): number | undefined {
  const written = text.trim();
  if (written.length > MAX_DELAY_LENGTH) return undefined;
  const nowS = Math.floor(nowMs / 1000);
  // Nobody means a time in the past; 0 also reads as an empty duration.
  if (/^[+-]?\d+$/.test(written))
    return Number(written) >= nowS ? Number(written) : Number(written) === 0 ? nowS : undefined;
  const seconds = parseDuration(written) ?? wordDuration(written);
  return seconds === undefined ? englishTime(written, nowMs) : Math.floor(nowMs / 1000 + seconds);
}
