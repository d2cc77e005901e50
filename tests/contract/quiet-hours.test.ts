import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeQuietHours,
  MAX_SPANS,
  type QuietHours,
  type QuietSpan,
  quietState,
  type Weekday,
  WEEKDAYS,
} from "../../src/contract";
import type { OffsetMinutes } from "../../src/contract/local-time";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const WORKDAYS: Weekday[] = [1, 2, 3, 4, 5];

/** A zone's offset, as Intl knows it. */
function zone(timeZone: string): OffsetMinutes {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric" },
  });
  const cache = new Map<number, number>();
  return (atMs) => {
    const minute = Math.floor(atMs / MINUTE_MS);
    const known = cache.get(minute);
    if (known !== undefined) return known;
    const part = Object.fromEntries(format.formatToParts(minute * MINUTE_MS).map(({ type, value }) => [type, +value]));
    const { year = 0, month = 0, day = 0, hour = 0, minute: minutes = 0 } = part;
    const offset = Date.UTC(year, month - 1, day, hour, minutes) / MINUTE_MS - minute;
    cache.set(minute, offset);
    return offset;
  };
}

const BERLIN = zone("Europe/Berlin");
const NEW_YORK = zone("America/New_York");
const LORD_HOWE = zone("Australia/Lord_Howe");

/** What a clock in the zone shows, `2026-03-29T07:00`. */
const wall = (atMs: number, offset: OffsetMinutes) =>
  new Date(atMs + offset(atMs) * MINUTE_MS).toISOString().slice(0, 16);

function hours(...spans: [days: readonly Weekday[], from: string, to: string][]): QuietHours {
  return { on: true, urgentAlerts: true, spans: spans.map(([days, from, to]) => ({ days: [...days], from, to })) };
}

const NIGHTS = hours([WEEKDAYS, "22:00", "07:00"]);

/** `said`: what holds, and when it changes, by a clock in the zone. */
type Case = [about: string, hours: QuietHours, at: string, said: string, offset?: OffsetMinutes];

// 24 November 2026 is a Tuesday.
const CASES: Case[] = [
  [
    "within a time that the day lacks there is none",
    hours([[0], "02:30", "03:15"]),
    "2026-03-29T03:00:00+02:00",
    "ahead 2026-04-05T02:30",
  ],
  ["before", NIGHTS, "2026-11-24T21:59:59+01:00", "ahead 2026-11-24T22:00"],
  ["its first moment", NIGHTS, "2026-11-24T22:00:00+01:00", "quiet 2026-11-25T07:00"],
  ["after midnight", NIGHTS, "2026-11-25T00:30:00+01:00", "quiet 2026-11-25T07:00"],
  ["its last moment", NIGHTS, "2026-11-25T06:59:59+01:00", "quiet 2026-11-25T07:00"],
  ["after", NIGHTS, "2026-11-25T07:00:00+01:00", "ahead 2026-11-25T22:00"],
  ["turned off", { ...NIGHTS, on: false }, "2026-11-25T00:30:00+01:00", "never"],
  ["without spans", hours(), "2026-11-25T00:30:00+01:00", "never"],
  ["without days", hours([[], "22:00", "07:00"]), "2026-11-25T00:30:00+01:00", "never"],
  [
    "a night belongs to the day it begins on",
    hours([[2], "22:00", "07:00"]),
    "2026-11-25T06:00:00+01:00",
    "quiet 2026-11-25T07:00",
  ],
  [
    "and not to the day it ends on",
    hours([[3], "22:00", "07:00"]),
    "2026-11-25T06:00:00+01:00",
    "ahead 2026-11-25T22:00",
  ],
  ["over the weekend", hours([WORKDAYS, "22:00", "07:00"]), "2026-11-28T12:00:00+01:00", "ahead 2026-11-30T22:00"],
  ["once a week, after it", hours([[2], "12:00", "13:00"]), "2026-11-24T13:00:00+01:00", "ahead 2026-12-01T12:00"],
  [
    "equal times are a whole day",
    hours([[2], "06:00", "06:00"]),
    "2026-11-25T05:59:00+01:00",
    "quiet 2026-11-25T06:00",
  ],
  [
    "equal times on all days have no end",
    hours([WEEKDAYS, "06:00", "06:00"]),
    "2026-11-25T05:59:00+01:00",
    "quiet Infinity",
  ],
  [
    "whole days in a row end with the last",
    hours([WORKDAYS, "00:00", "00:00"]),
    "2026-11-23T09:00:00+01:00",
    "quiet 2026-11-28T00:00",
  ],
  [
    "spans that touch are one",
    hours([[2], "20:00", "23:00"], [[2], "23:00", "06:00"]),
    "2026-11-24T21:00:00+01:00",
    "quiet 2026-11-25T06:00",
  ],
  [
    "spans that overlap are one",
    hours([[2], "20:00", "23:00"], [[2], "21:00", "22:00"]),
    "2026-11-24T21:30:00+01:00",
    "quiet 2026-11-24T23:00",
  ],
  [
    "of two spans the earlier one is ahead",
    hours([[4], "20:00", "23:00"], [[3], "21:00", "22:00"]),
    "2026-11-24T21:30:00+01:00",
    "ahead 2026-11-25T21:00",
  ],
  ["the night when clocks are set on", NIGHTS, "2026-03-29T01:30:00+01:00", "quiet 2026-03-29T07:00"],
  ["the night when clocks are set back", NIGHTS, "2026-10-25T02:30:00+01:00", "quiet 2026-10-25T07:00"],
  [
    "from a time that the day lacks",
    hours([[0], "02:30", "04:00"]),
    "2026-03-29T01:59:00+01:00",
    "ahead 2026-03-29T03:30",
  ],
  [
    "to a time that the day lacks",
    hours([[0], "01:00", "02:30"]),
    "2026-03-29T03:15:00+02:00",
    "quiet 2026-03-29T03:30",
  ],
  [
    "to a time that comes twice: the first",
    hours([[0], "01:00", "02:30"]),
    "2026-10-25T02:29:00+02:00",
    "quiet 2026-10-25T02:30",
  ],
  ["after the first of two", hours([[0], "01:00", "02:30"]), "2026-10-25T02:31:00+02:00", "ahead 2026-11-01T01:00"],
  [
    "elsewhere, set on",
    hours([[0], "02:30", "04:00"]),
    "2026-03-08T01:59:00-05:00",
    "ahead 2026-03-08T03:30",
    NEW_YORK,
  ],
  [
    "elsewhere, set back",
    hours([[0], "00:30", "01:30"]),
    "2026-11-01T01:15:00-04:00",
    "quiet 2026-11-01T01:30",
    NEW_YORK,
  ],
  ["where clocks are set by half an hour", NIGHTS, "2026-04-05T01:45:00+11:00", "quiet 2026-04-05T07:00", LORD_HOWE],
];

describe("quiet hours at a moment", () => {
  test.each(CASES)("%s", (_, quiet, at, said, offset = BERLIN) => {
    const state = quietState(quiet, Date.parse(at), offset);
    const words = (ms: number) => (ms === Infinity ? "Infinity" : wall(ms, offset));
    const { kind } = state;
    expect(kind === "never" ? kind : `${kind} ${words(kind === "quiet" ? state.untilMs : state.fromMs)}`).toBe(said);
  });

  const time = fc
    .integer({ min: 0, max: 24 * 60 - 1 })
    .map((minute) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`);
  const span: fc.Arbitrary<QuietSpan> = fc.record({
    days: fc.subarray([...WEEKDAYS]),
    from: time,
    to: fc.oneof(time, fc.constantFrom("00:00", "12:00")),
  });
  const anyHours = fc
    .array(span, { maxLength: 4 })
    .map((spans): QuietHours => ({ on: true, urgentAlerts: true, spans }));
  const moment = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2028, 0, 1) });

  test("holds exactly when the clock is within a span of the day, or of the day before", () => {
    fc.assert(
      fc.property(anyHours, moment, fc.integer({ min: -720, max: 840 }), (quiet, atMs, offset) => {
        const local = new Date(atMs + offset * MINUTE_MS);
        const clock = local.toISOString().slice(11, 16);
        const today = local.getUTCDay() as Weekday;
        const before = ((today + 6) % 7) as Weekday;
        const isQuiet = quiet.spans.some(({ days, from, to }) =>
          to > from
            ? days.includes(today) && clock >= from && clock < to
            : (days.includes(today) && clock >= from) || (days.includes(before) && clock < to),
        );
        expect(quietState(quiet, atMs, () => offset).kind === "quiet").toBe(isQuiet);
      }),
    );
  });

  test("ends and begins when it says, also on days that are longer or shorter", () => {
    // Around the days on which clocks are set.
    const near = fc
      .tuple(
        fc.constantFrom(
          "2026-03-29",
          "2026-10-25",
          "2026-03-08",
          "2026-11-01",
          "2026-04-05",
          "2026-10-04",
          "2027-06-15",
        ),
        fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS }),
      )
      .map(([day, byMs]) => Date.parse(`${day}T00:00Z`) + byMs);
    fc.assert(
      fc.property(anyHours, near, fc.constantFrom(BERLIN, NEW_YORK, LORD_HOWE), (quiet, atMs, offset) => {
        const state = quietState(quiet, atMs, offset);
        const isQuietAt = (ms: number) => quietState(quiet, ms, offset).kind === "quiet";
        if (state.kind === "never") expect(quiet.spans.every(({ days }) => days.length === 0)).toBe(true);
        else if (state.kind === "ahead") {
          expect(state.fromMs).toBeGreaterThan(atMs);
          expect([isQuietAt(state.fromMs - 1), isQuietAt(state.fromMs)]).toEqual([false, true]);
        } else {
          expect(state.untilMs).toBeGreaterThan(atMs);
          if (state.untilMs === Infinity)
            for (let day = 0; day < 9; day++) expect(isQuietAt(atMs + day * DAY_MS)).toBe(true);
          else expect([isQuietAt(state.untilMs - 1), isQuietAt(state.untilMs)]).toEqual([true, false]);
        }
      }),
    );
  });

  test("goes by the device's clock unless told otherwise", () => {
    const at = new Date(2026, 5, 16, 23, 30);
    expect(quietState(NIGHTS, at.getTime())).toEqual({ kind: "quiet", untilMs: new Date(2026, 5, 17, 7).getTime() });
  });

  test("follows the device into another time zone", () => {
    const atMs = Date.parse("2026-11-24T23:00:00Z");
    expect(quietState(NIGHTS, atMs, BERLIN)).toEqual({ kind: "quiet", untilMs: Date.parse("2026-11-25T06:00:00Z") });
    expect(quietState(NIGHTS, atMs, NEW_YORK)).toEqual({ kind: "ahead", fromMs: Date.parse("2026-11-25T03:00:00Z") });
  });
});

describe("stored quiet hours", () => {
  test("are read as they were written", () => {
    expect(decodeQuietHours(structuredClone(NIGHTS))).toEqual(NIGHTS);
  });

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["a word", "22:00"],
    ["a list", [{ from: "22:00", to: "07:00", days: [1] }]],
    ["spans that are none", { on: true, spans: "all" }],
  ])("%s is none", (_, stored) => {
    expect(decodeQuietHours(stored)).toBeUndefined();
  });

  test.each([
    ["a time that doesn't exist", { days: [1], from: "25:99", to: "07:00" }],
    ["a time without minutes", { days: [1], from: "22", to: "07:00" }],
    ["a time that is a number", { days: [1], from: 1_320, to: "07:00" }],
    ["a time with something behind it", { days: [1], from: "22:00", to: "07:00:30" }],
    ["no days", { from: "22:00", to: "07:00" }],
    ["days that are no list", { days: "1", from: "22:00", to: "07:00" }],
    ["null", null],
  ])("leave out a span with %s, and keep the others", (_, span) => {
    const good = { days: [6], from: "23:00", to: "10:00" };
    expect(decodeQuietHours({ on: true, spans: [span, good], urgentAlerts: true })?.spans).toEqual([good]);
  });

  test("leave out impossible days and duplicates", () => {
    const stored = { on: true, spans: [{ days: [5, 7, "1", -1, 1.5, null, 5, 0], from: "22:00", to: "07:00" }] };
    expect(decodeQuietHours(stored)).toEqual({
      on: true,
      urgentAlerts: true,
      spans: [{ days: [0, 5], from: "22:00", to: "07:00" }],
    });
  });

  test("hold only if they say so, and let urgent messages through unless they say no", () => {
    expect(decodeQuietHours({ on: "yes", spans: [], urgentAlerts: 0 })).toMatchObject({
      on: false,
      urgentAlerts: true,
    });
    expect(decodeQuietHours({ on: true, spans: [], urgentAlerts: false })).toMatchObject({
      on: true,
      urgentAlerts: false,
    });
  });

  test("have a limited number of spans", () => {
    const spans = Array.from({ length: 50 }, () => ({ days: [1], from: "22:00", to: "07:00" }));
    expect(decodeQuietHours({ on: true, spans })?.spans).toHaveLength(MAX_SPANS);
  });

  test("any stored value yields a state", () => {
    const odd = fc.record(
      {
        on: fc.anything(),
        urgentAlerts: fc.anything(),
        spans: fc.oneof(
          fc.array(
            fc.oneof(fc.anything(), fc.record({ days: fc.array(fc.anything()), from: fc.string(), to: fc.string() })),
          ),
          fc.anything(),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(odd, fc.anything()), (stored) => {
        const decoded = decodeQuietHours(stored);
        if (!decoded) return;
        expect(decodeQuietHours(structuredClone(decoded))).toEqual(decoded);
        expect(["never", "quiet", "ahead"]).toContain(quietState(decoded, Date.UTC(2026, 10, 24), BERLIN).kind);
      }),
    );
  });
});
