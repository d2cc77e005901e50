// When nothing alerts: quiet hours, by weekday and the device's clock, and mutes.
import { DAY_MS, isJsonObject } from "../../protocol";
import { deviceOffset, MINUTE_MS, momentOf, type OffsetMinutes } from "../local-time";

/** 0 = Sunday … 6 = Saturday, as `Date` counts them. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** All days, beginning with Sunday. */
export const WEEKDAYS: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];

/**
 * A quiet time on some days of the week. If it ends no later than it begins, it ends the next day, so equal times make
 * a whole day. Times are `HH:MM`, device clock.
 */
export interface QuietSpan {
  days: Weekday[];
  from: string;
  to: string;
}

export interface QuietHours {
  /** Spans are kept while quiet hours are off. */
  on: boolean;
  /** At most `MAX_SPANS`; they may overlap. */
  spans: QuietSpan[];
  /** Messages of priority 5 alert anyway. */
  urgentAlerts: boolean;
}

/** Nobody needs more spans than there are days of the week. */
export const MAX_SPANS = 7;

/** What quiet hours do at a moment. Times are device clock, ms. */
export type QuietState =
  | { kind: "never" }
  /** Infinity = without end. */
  | { kind: "quiet"; untilMs: number }
  | { kind: "ahead"; fromMs: number };

/** A span begins again on the same weekday after this many days. */
const WEEK = 7;

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Reads quiet hours; undefined = none. An import or another version may bring impossible spans, which are left out. */
export function decodeQuietHours(value: unknown): QuietHours | undefined {
  const { on, urgentAlerts, spans: all }: Partial<Record<keyof QuietHours, unknown>> = isJsonObject(value) ? value : {};
  if (!Array.isArray(all)) return undefined;
  const spans = (all as unknown[]).flatMap((span) => decodeSpan(span) ?? []).slice(0, MAX_SPANS);
  return { on: on === true, spans, urgentAlerts: urgentAlerts !== false };
}

function decodeSpan(value: unknown): QuietSpan | undefined {
  const { days, from, to }: Partial<Record<keyof QuietSpan, unknown>> = isJsonObject(value) ? value : {};
  if (!isTimeOfDay(from) || !isTimeOfDay(to) || !Array.isArray(days)) return undefined;
  return { days: WEEKDAYS.filter((day) => days.includes(day)), from, to };
}

/** Whether it is a time of day, `HH:MM`. */
export function isTimeOfDay(value: unknown): value is string {
  return typeof value === "string" && TIME.test(value);
}

export function quietState(
  { on, spans }: QuietHours,
  nowMs: number,
  offsetMinutes: OffsetMinutes = deviceOffset,
): QuietState {
  if (!on) return { kind: "never" };
  const today = Math.floor((nowMs + offsetMinutes(nowMs) * MINUTE_MS) / DAY_MS);
  const times: { fromMs: number; toMs: number }[] = [];
  // A span that began yesterday may last until today; spans repeat after a week and a day.
  for (let day = today - 1; day <= today + WEEK + 1; day++) {
    for (const { days, from, to } of spans) {
      // 1 January 1970, day 0, was a Thursday.
      if (!days.includes(((((day + 4) % WEEK) + WEEK) % WEEK) as Weekday)) continue;
      const fromMs = momentOf(wallOf(day, from), offsetMinutes);
      const toMs = momentOf(wallOf(to > from ? day : day + 1, to), offsetMinutes);
      // When clocks go forward, a span within the skipped time has no length.
      if (toMs > fromMs) times.push({ fromMs, toMs });
    }
  }
  times.sort((a, b) => a.fromMs - b.fromMs);
  let untilMs = nowMs;
  for (const { fromMs, toMs } of times) {
    if (fromMs <= untilMs) untilMs = Math.max(untilMs, toMs);
    else if (untilMs === nowMs) return { kind: "ahead", fromMs };
    else break;
  }
  if (untilMs === nowMs) return { kind: "never" };
  return { kind: "quiet", untilMs: untilMs - nowMs > WEEK * DAY_MS ? Infinity : untilMs };
}

/** A wall-clock time, ms, as if it were UTC: `day` counts from 1970, `time` is HH:MM. */
function wallOf(day: number, time: string): number {
  return day * DAY_MS + (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * MINUTE_MS;
}

/** The longest that anything can be muted or snoozed with an end, ms. */
export const MAX_MUTE_MS = 366 * 86_400_000;

/**
 * Whether a mute is in force. One that would end later than anybody can choose was set while the device's clock was
 * ahead, and counts as ended.
 *
 * @param untilMs device clock, ms; Infinity = until unmuted
 */
export function isMuted(untilMs: number | undefined, nowMs: number): untilMs is number {
  return untilMs !== undefined && untilMs > nowMs && (untilMs === Infinity || untilMs <= nowMs + MAX_MUTE_MS);
}
