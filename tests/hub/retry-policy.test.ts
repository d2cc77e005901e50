import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checked, checkPace, NO_CHECKS, probeAfterMs, type Checked } from "../../src/hub/poll-in-sight";
import { NO_TRIES, nextTry, type RetryEvent, type RetryState } from "../../src/hub/retry-policy";

const NOW_MS = Date.UTC(2026, 10, 21);
const FRESH: RetryState = { ...NO_TRIES, countedAtMs: NOW_MS };

/** The wait after each of these events, ms; undefined = the current wait goes on. */
function waits(events: readonly { event: RetryEvent; afterMs?: number }[], chance = 0.999_999): (number | undefined)[] {
  let state = FRESH;
  let nowMs = NOW_MS;
  return events.map(({ event, afterMs = 0 }) => {
    nowMs += afterMs;
    const next = nextTry(state, event, { nowMs, chance });
    state = next.state;
    return next.step.kind === "try" ? Math.round(next.step.afterMs) : undefined;
  });
}

const failed: RetryEvent = { kind: "try-failed" };
const ended: RetryEvent = { kind: "stream-ended" };
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

describe("what follows", () => {
  test.each([
    ["tries that fail", times(8, { event: failed }), [2, 4, 8, 16, 32, 60, 60, 60].map((s) => s * 1_000)],
    ["a server that asks for a longer wait", [{ event: { kind: "try-failed", atLeastMs: 15_000 } }], [15_000]],
    ["a stream that had worked", [{ event: ended }], [250]],
    [
      "failures, then one that asks",
      [{ event: failed }, { event: failed }, { event: { kind: "asked" } }, { event: failed }],
      [2_000, 4_000, 0, 2_000],
    ],
    [
      "failures, then a stream that held",
      [{ event: failed }, { event: failed }, { event: { kind: "stable" } }, { event: failed }],
      [2_000, 4_000, undefined, 2_000],
    ],
    [
      "failures, then a server that was gone and is back",
      [{ event: failed }, { event: failed }, { event: { kind: "probe-answered", wasAway: true } }, { event: failed }],
      [2_000, 4_000, 250, 2_000],
    ],
    [
      "failures of a server that answers probes all the time",
      [{ event: failed }, { event: failed }, { event: { kind: "probe-answered", wasAway: false } }, { event: failed }],
      [2_000, 4_000, 250, 8_000],
    ],
  ] as [string, { event: RetryEvent }[], (number | undefined)[]][])("%s", (_, events, expected) => {
    expect(waits(events)).toEqual(expected);
  });
});

test("a stream that is cut every 20 s is replaced at once for a day", () => {
  const day = times(4_320, { event: ended, afterMs: 20_000 });
  expect(new Set(waits(day))).toEqual(new Set([250]));
});

test("a stream that flaps every second is soon retried no more often than a failing one", () => {
  const hour = waits(times(3_600, { event: ended, afterMs: 1_000 }));
  expect(hour.slice(0, 12)).toEqual(times(12, 250));
  expect(hour.filter((wait) => wait === 250).length).toBeLessThanOrEqual(12 + 180 + 1);
});

test("a server that answers probes while tries fail is not retried at each probe", () => {
  const answered: RetryEvent = { kind: "probe-answered", wasAway: false };
  const steps = waits(times(2_000, [{ event: failed }, { event: answered, afterMs: 1_000 }]).flat());
  expect(steps.filter((wait) => wait === 250).length).toBeLessThanOrEqual(12 + 2_000 / 20 + 1);
});

test("every wait stays within its bounds, whatever happens and whatever the clock does", () => {
  const event = fc.oneof(
    fc.constantFrom<RetryEvent>(ended, failed, { kind: "stable" }, { kind: "asked" }),
    fc.boolean().map((wasAway): RetryEvent => ({ kind: "probe-answered", wasAway })),
    fc.nat(300_000).map((atLeastMs): RetryEvent => ({ kind: "try-failed", atLeastMs })),
  );
  const step = fc.tuple(event, fc.integer({ min: -1e9, max: 1e9 }), fc.double({ min: 0, max: 0.999_999, noNaN: true }));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let state = FRESH;
      let nowMs = NOW_MS;
      for (const [event, sinceMs, chance] of steps) {
        nowMs += sinceMs;
        const next = nextTry(state, event, { nowMs, chance });
        expect(next.state.quickTries).toBeGreaterThanOrEqual(0);
        expect(next.state.quickTries).toBeLessThanOrEqual(NO_TRIES.quickTries);
        if (next.step.kind === "try") {
          expect(next.step.afterMs).toBeGreaterThanOrEqual(0);
          expect(next.step.afterMs).toBeLessThanOrEqual(300_000);
          if (event.kind === "try-failed") expect(next.step.afterMs).toBeGreaterThanOrEqual(event.atLeastMs ?? 1_000);
        }
        state = next.state;
      }
    }),
  );
});

test("a server that is gone is probed every second or so, and never less often than every 5 s", () => {
  for (const chance of [0, 0.5, 0.999_999]) {
    expect(probeAfterMs(0, chance)).toBeGreaterThanOrEqual(1_000);
    expect(probeAfterMs(300_000, chance)).toBeLessThanOrEqual(1_500);
    expect(probeAfterMs(86_400_000, chance)).toBeLessThanOrEqual(5_000);
  }
});

describe("a quiet stream is checked", () => {
  const forgotten: Checked = { kind: "forgotten" };
  const answered: Checked = { kind: "answered", tookMs: 40 };
  const silent: Checked = { kind: "silent" };
  const slow: Checked = { kind: "answered", tookMs: 400 };

  test.each<[string, Checked[], number, number]>([
    ["every 5 s at first", [], 5_000, 500],
    ["every 5 s while checks are answered", times(100, answered), 5_000, 500],
    ["every 5 s while nothing is answered", times(100, silent), 5_000, 500],
    ["more patiently where answers take long", [slow], 5_000, 800],
    ["not more patiently than 1 s", [{ kind: "answered", tookMs: 3_000 }], 5_000, 1_000],
    ["as before once answers are quick again", [slow, answered], 5_000, 500],
    ["every second once a connection was forgotten", [forgotten], 900, 500],
    ["more patiently then, too", [slow, forgotten], 900, 800],
    ["every second for an hour of answers", [forgotten, ...times(3_599, answered)], 900, 500],
    ["every 5 s after that hour", [forgotten, ...times(3_600, answered)], 5_000, 500],
    ["every 5 s after an hour without answers", [forgotten, ...times(3_600, silent)], 5_000, 500],
    [
      "every second for another hour after each finding",
      [forgotten, ...times(3_000, answered), forgotten, ...times(3_599, answered)],
      900,
      500,
    ],
  ])("%s", (_, found, everyMs, patienceMs) => {
    expect(checkPace(found.reduce(checked, NO_CHECKS))).toMatchObject({ everyMs, patienceMs });
  });

  test("never more often than at each look, and never for longer than a second", () => {
    const found = fc.oneof(
      fc.constantFrom(forgotten, silent),
      fc.integer({ min: -1e9, max: 1e9 }).map((tookMs): Checked => ({ kind: "answered", tookMs })),
    );
    fc.assert(
      fc.property(fc.array(found), (all) => {
        const { everyMs, patienceMs, freeMs } = checkPace(all.reduce(checked, NO_CHECKS));
        expect(everyMs).toBeGreaterThanOrEqual(900);
        expect(everyMs).toBeLessThanOrEqual(5_000);
        expect(patienceMs).toBeGreaterThanOrEqual(500);
        expect(patienceMs).toBeLessThanOrEqual(1_000);
        expect(freeMs).toBeLessThanOrEqual(500);
      }),
    );
  });
});
