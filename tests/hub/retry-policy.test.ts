import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allowed,
  type Checked,
  checked,
  checkPace,
  DOUBTS,
  NO_CHECKS,
  probeAfterMs,
  type RecheckFacts,
  recheckNow,
  tabsInSight,
  type Watch,
} from "../../src/hub/poll-in-sight";
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
  const answered: Checked = { kind: "answered", tookMs: 40, rate: 0 };
  const shared: Checked = { ...answered, rate: 0.2 };
  const silent: Checked = { kind: "silent" };
  const slow: Checked = { ...answered, tookMs: 400 };
  const WATCH: Watch = { tabs: 1, servers: 1, isCounted: true };

  test.each<[string, Checked[], number, number]>([
    ["every second at first", [], 900, 400],
    ["every second while checks are answered", times(4_000, answered), 900, 400],
    ["every second while nothing is answered", times(4_000, silent), 900, 400],
    ["every second where others publish a little", [{ ...answered, rate: 0.19 }], 900, 400],
    ["every 5 s where others publish much", [shared], 5_000, 400],
    ["every 5 s where others publish much and nothing is answered any more", [shared, ...times(9, silent)], 5_000, 400],
    ["every second once others publish little", [shared, answered], 900, 400],
    ["more patiently where answers take long", [slow], 900, 800],
    ["not more patiently than 1 s", [{ ...answered, tookMs: 3_000 }], 900, 1_000],
    ["as before once answers are quick again", [slow, answered], 900, 400],
    ["every second once a connection was forgotten", [shared, forgotten], 900, 400],
    ["more patiently then, too", [slow, forgotten], 900, 800],
    ["every second for an hour of answers", [forgotten, ...times(3_599, shared)], 900, 400],
    ["every 5 s after that hour", [forgotten, ...times(3_600, shared)], 5_000, 400],
    ["every 5 s after an hour without answers", [shared, forgotten, ...times(3_600, silent)], 5_000, 400],
    [
      "every second for another hour after each finding",
      [forgotten, ...times(3_000, shared), forgotten, ...times(3_599, shared)],
      900,
      400,
    ],
  ])("%s", (_, found, everyMs, patienceMs) => {
    expect(checkPace(found.reduce(checked, NO_CHECKS), WATCH)).toMatchObject({ everyMs, patienceMs });
  });

  test.each<[string, Watch, number]>([
    ["every second with up to three tabs in sight, and six servers", { ...WATCH, tabs: 3, servers: 6 }, 900],
    ["every 5 s with more tabs", { ...WATCH, tabs: 4 }, 5_000],
    ["every 5 s with more servers", { ...WATCH, servers: 7 }, 5_000],
    ["every 5 s at a server that doesn't count its messages", { ...WATCH, isCounted: false }, 5_000],
  ])("%s, but each second where connections were forgotten", (_, watch, everyMs) => {
    expect(checkPace(NO_CHECKS, watch)).toMatchObject({ everyMs });
    expect(checkPace(checked(NO_CHECKS, forgotten), watch)).toMatchObject({ everyMs: 900 });
  });

  test("never more often than at each look, and never for longer than a second", () => {
    const found = fc.oneof(
      fc.constantFrom(forgotten, silent),
      fc
        .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.double({ min: 0, noNaN: true }))
        .map(([tookMs, rate]): Checked => ({ kind: "answered", tookMs, rate })),
    );
    const watch = fc.record({ tabs: fc.nat(), servers: fc.nat(), isCounted: fc.boolean() });
    fc.assert(
      fc.property(fc.array(found), watch, (all, watch) => {
        const { everyMs, patienceMs, freeMs } = checkPace(all.reduce(checked, NO_CHECKS), watch);
        expect(everyMs).toBeGreaterThanOrEqual(900);
        expect(everyMs).toBeLessThanOrEqual(5_000);
        expect(patienceMs).toBeGreaterThanOrEqual(400);
        expect(patienceMs).toBeLessThanOrEqual(1_000);
        expect(freeMs).toBeLessThanOrEqual(500);
      }),
    );
  });
});

test("tabs in sight are counted by what they said within ten seconds, whatever the clock does", () => {
  const said = [NOW_MS, NOW_MS - 3_000, NOW_MS - 9_999, NOW_MS - 10_000, NOW_MS - 13_000];
  expect(tabsInSight(said, NOW_MS)).toBe(3);
  expect(tabsInSight(said, NOW_MS - 3_600_000)).toBe(0);
  expect(tabsInSight([], NOW_MS)).toBe(0);
});

describe("refused topics are asked for again", () => {
  const FACTS: RecheckFacts = { refused: 8, room: 25, sinceMs: 0, sinceRefusedMs: 600_000, isHinted: false };

  test.each<[string, Partial<RecheckFacts>, number]>([
    ["every 2 s at first", { sinceMs: 1_900, sinceRefusedMs: 19_000 }, 1],
    ["not sooner", { sinceMs: 1_800, sinceRefusedMs: 19_000 }, 0],
    ["one in 40 s later on", { sinceMs: 39_000 }, 1],
    ["not sooner", { sinceMs: 38_900 }, 0],
    ["none if there are none", { refused: 0, sinceMs: 1e9, isHinted: true }, 0],
    ["all of them at once after a hint", { isHinted: true }, 8],
    ["but ten at most", { refused: 100, isHinted: true }, 10],
    ["as far as there may be errors", { room: 3, isHinted: true }, 3],
    ["none where there may be no more", { room: 0, sinceMs: 1e9, isHinted: true }, 0],
  ])("%s", (_, facts, asked) => {
    expect(recheckNow({ ...FACTS, ...facts })).toBe(asked);
  });
});

test("an allowance grants no more than its size and what the time gives back, whatever the clock does", () => {
  const step = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(
    fc.property(fc.constantFrom(DOUBTS, { most: 60, everyMs: 5_000 }), fc.array(step), (size, steps) => {
      let allowance = allowed(undefined, size, NOW_MS);
      let nowMs = NOW_MS;
      let onMs = 0;
      let granted = 0;
      for (const byMs of steps) {
        nowMs += byMs;
        onMs += Math.max(0, byMs);
        allowance = allowed(allowance, size, nowMs);
        expect(allowance.left).toBeLessThanOrEqual(size.most);
        if (allowance.left < 1) continue;
        allowance = { ...allowance, left: allowance.left - 1 };
        granted += 1;
      }
      expect(granted).toBeLessThanOrEqual(size.most + onMs / size.everyMs);
    }),
  );
});
