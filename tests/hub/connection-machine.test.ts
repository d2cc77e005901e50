import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Failure } from "../../src/protocol";
import {
  connectionState,
  step,
  type MachineEffect,
  type MachineEvent,
  type MachineFacts,
  type MachineState,
  type StateFacts,
} from "../../src/hub/connection/connection-machine";
import { NO_TRIES } from "../../src/hub/requests/retry-policy";
import { ServerPlan } from "../../src/hub/server/server-plan";

const GONE: Failure = { kind: "network" };
const BUSY: Failure = { kind: "busy", code: 42901 };
const NOW_MS = Date.UTC(2026, 10, 21);
const FACTS: MachineFacts = { nowMs: NOW_MS, chance: 0.999_999, isLive: false, isMissed: false };
const TRIES = { ...NO_TRIES, countedAtMs: NOW_MS };
const TRYING: MachineState = { kind: "trying", tries: TRIES };
const WAITING: MachineState = {
  kind: "waiting",
  tries: { ...TRIES, failures: 3 },
  why: GONE,
  nextTryAtMs: NOW_MS + 9_000,
  isAtOnce: false,
};

const failed: MachineEvent = { kind: "try-failed", why: GONE };
const cut: MachineEvent = { kind: "stream-cut", why: GONE };
const due = (timer: "try" | "stable" | "beside"): MachineEvent => ({ kind: "timer", timer });
const answered = (wasAway: boolean): MachineEvent => ({ kind: "probe-answered", wasAway });
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

/** Effects in short: `try`, `poll-beside`, `probe`, `no probe`, `stable in 60`, `no try`. */
function inShort(effects: readonly MachineEffect[]): string[] {
  return effects.map((effect) => {
    if (effect.kind === "probe") return effect.isOn ? "probe" : "no probe";
    if (effect.kind !== "timer") return effect.kind;
    const { timer, afterMs } = effect;
    return afterMs === undefined ? `no ${timer}` : `${timer} in ${Math.round(afterMs) / 1_000}`;
  });
}

describe("each state and event", () => {
  const seen = { isMissed: true };
  const tryNow = ["no try", "try", "beside in 1"];
  test.each<[string, MachineState, MachineEvent, Partial<MachineFacts>, MachineState["kind"], string[]]>([
    ["a stream opens", TRYING, { kind: "stream-opened" }, {}, "trying", ["stable in 60"]],
    ["the last one", TRYING, { kind: "stream-opened" }, { isLive: true }, "trying", ["stable in 60", "no probe"]],
    ["one in a wait", WAITING, { kind: "stream-opened" }, {}, "waiting", ["stable in 60"]],
    ["a stream is cut", TRYING, cut, seen, "waiting", ["no stable", "try in 0.25", "no probe"]],
    ["another one in the wait", WAITING, cut, seen, "waiting", ["no stable"]],
    ["a try fails", TRYING, failed, seen, "waiting", ["no stable", "try in 2", "probe"]],
    ["out of sight", TRYING, failed, {}, "waiting", ["no stable", "try in 2", "no probe"]],
    [
      "a server refuses for a while",
      TRYING,
      { kind: "try-failed", why: BUSY, atLeastMs: 15_000 },
      seen,
      "waiting",
      ["no stable", "try in 15", "no probe"],
    ],
    ["a probe is answered in a wait", WAITING, answered(true), seen, "waiting", ["try in 0.25", "no probe"]],
    ["one in a try", TRYING, answered(true), seen, "trying", []],
    ["one too many", { ...WAITING, tries: { ...TRIES, quickTries: 0 } }, answered(false), seen, "waiting", []],
    ["the user asks in a wait", WAITING, { kind: "asked" }, {}, "trying", tryNow],
    ["the user asks in a try", TRYING, { kind: "asked" }, {}, "trying", tryNow],
    ["a refused topic is found", TRYING, { kind: "left-out" }, {}, "trying", tryNow],
    ["one in a wait", WAITING, { kind: "left-out" }, {}, "waiting", []],
    ["a page comes in sight", TRYING, { kind: "sight-changed" }, seen, "trying", ["probe"]],
    ["while the server is gone", WAITING, { kind: "sight-changed" }, seen, "waiting", ["probe"]],
    ["while it refuses", { ...WAITING, why: BUSY }, { kind: "sight-changed" }, seen, "waiting", ["no probe"]],
    ["a page goes out of sight", WAITING, { kind: "sight-changed" }, {}, "waiting", ["no probe"]],
    ["the wait is over", WAITING, due("try"), {}, "trying", tryNow],
    ["a stream holds", TRYING, due("stable"), {}, "trying", []],
    ["a try takes long", TRYING, due("beside"), seen, "trying", ["probe", "poll-beside"]],
    ["a try failed fast", WAITING, due("beside"), seen, "waiting", []],
  ])("%s", (_, state, event, facts, kind, effects) => {
    const next = step(state, event, { ...FACTS, ...facts });
    expect(next.state.kind).toBe(kind);
    expect(inShort(next.effects)).toEqual(effects);
  });

  test("why the last try ended is known until everything is received", () => {
    const trying = step(WAITING, due("try"), FACTS).state;
    expect(trying).toHaveProperty("why", GONE);
    expect(step(trying, { kind: "stream-opened" }, FACTS).state).toHaveProperty("why", GONE);
    expect(step(trying, { kind: "stream-opened" }, { ...FACTS, isLive: true }).state).not.toHaveProperty("why");
  });
});

/** The waits that these events begin, ms, each wait over before the next event; undefined = none. */
function waits(events: readonly { event: MachineEvent; afterMs?: number }[]): (number | undefined)[] {
  let state: MachineState = TRYING;
  let nowMs = NOW_MS;
  return events.map(({ event, afterMs = 0 }) => {
    nowMs += afterMs;
    const facts = { ...FACTS, nowMs };
    if (event.kind !== "probe-answered") state = step(state, due("try"), facts).state;
    const next = step(state, event, facts);
    state = next.state;
    const timer = next.effects.find((effect) => effect.kind === "timer" && effect.timer === "try");
    return timer && "afterMs" in timer ? Math.round(timer.afterMs ?? 0) : undefined;
  });
}

describe("waits", () => {
  test.each<[string, { event: MachineEvent }[], (number | undefined)[]]>([
    ["grow while tries fail", times(8, { event: failed }), [2, 4, 8, 16, 32, 60, 60, 60].map((s) => s * 1_000)],
    [
      "start small when the user asks",
      [{ event: failed }, { event: failed }, { event: { kind: "asked" } }, { event: failed }],
      [2_000, 4_000, undefined, 2_000],
    ],
    [
      "start small after a stream that held",
      [{ event: failed }, { event: failed }, { event: due("stable") }, { event: failed }],
      [2_000, 4_000, undefined, 2_000],
    ],
    [
      "start small after a server was gone and is back",
      [{ event: failed }, { event: failed }, { event: answered(true) }, { event: failed }],
      [2_000, 4_000, 250, 2_000],
    ],
    [
      "go on growing if the server answers probes all the time",
      [{ event: failed }, { event: failed }, { event: answered(false) }, { event: failed }],
      [2_000, 4_000, 250, 8_000],
    ],
  ])("%s", (_, events, expected) => {
    expect(waits(events)).toEqual(expected);
  });

  test("a stream that is cut every 20 s is replaced at once for a day", () => {
    expect(new Set(waits(times(4_320, { event: cut, afterMs: 20_000 })))).toEqual(new Set([250]));
  });

  test("a stream that flaps every second is soon retried no more often than a failing one", () => {
    const hour = waits(times(3_600, { event: cut, afterMs: 1_000 }));
    expect(hour.slice(0, 12)).toEqual(times(12, 250));
    expect(hour.filter((wait) => wait === 250).length).toBeLessThanOrEqual(12 + 180 + 1);
  });

  test("a server that answers probes while tries fail is not retried at each probe", () => {
    const steps = waits(times(2_000, [{ event: failed }, { event: answered(false), afterMs: 1_000 }]).flat());
    expect(steps.filter((wait) => wait === 250).length).toBeLessThanOrEqual(12 + 2_000 / 20 + 1);
  });

  test("stay within their bounds, whatever happens and whatever the clock does", () => {
    const event = fc.oneof(
      fc.constantFrom<MachineEvent>(cut, failed, due("stable"), due("try"), { kind: "asked" }),
      fc.boolean().map(answered),
      fc.nat(300_000).map((atLeastMs): MachineEvent => ({ kind: "try-failed", why: BUSY, atLeastMs })),
    );
    const moment = fc.tuple(event, fc.integer({ min: -1e9, max: 1e9 }), fc.double({ min: 0, max: 0.99, noNaN: true }));
    fc.assert(
      fc.property(fc.array(moment), (moments) => {
        let state: MachineState = TRYING;
        let nowMs = NOW_MS;
        for (const [event, sinceMs, chance] of moments) {
          nowMs += sinceMs;
          const wasTrying = state.kind === "trying";
          state = step(state, event, { ...FACTS, nowMs, chance }).state;
          expect(state.tries.quickTries).toBeGreaterThanOrEqual(0);
          expect(state.tries.quickTries).toBeLessThanOrEqual(NO_TRIES.quickTries);
          if (!wasTrying || state.kind !== "waiting") continue;
          const waitMs = state.nextTryAtMs - nowMs;
          const leastMs = event.kind === "try-failed" ? (event.atLeastMs ?? 1_000) : 0;
          expect(waitMs).toBeGreaterThanOrEqual(leastMs);
          expect(waitMs).toBeLessThanOrEqual(300_000);
        }
      }),
    );
  });
});

const server = { serverId: 1, address: "https://topics.example" as never, createdAtMs: 0 };
const plan = new ServerPlan({ server, accounts: [], subscriptions: [] } as never);
const trying: StateFacts = {
  machine: { kind: "trying", tries: { ...TRIES, failures: 2 } },
  isIdle: false,
  plan,
  askAtMs: undefined,
  live: undefined,
  busyUntilMs: undefined,
  offlineSinceMs: undefined,
  sinceMs: 100,
};
const waiting = { ...WAITING, tries: { ...TRIES, failures: 2 }, nextTryAtMs: 500 };
const live = { transport: "json" } as const;

describe("the state that users see", () => {
  test("says that it is connecting until something gets through, and why the last try ended", () => {
    expect(connectionState(trying)).toEqual({ kind: "connecting", attempt: 2, sinceMs: 100 });
    const again = { ...trying, machine: { ...TRYING, tries: waiting.tries, why: GONE } };
    expect(connectionState(again)).toEqual({ kind: "connecting", attempt: 2, sinceMs: 100, why: GONE });
  });

  test("says that it is waiting, unless the wait is too short to be shown", () => {
    expect(connectionState({ ...trying, machine: waiting })).toEqual({
      kind: "waiting",
      attempt: 2,
      nextTryAtMs: 500,
      why: GONE,
    });
    expect(connectionState({ ...trying, machine: { ...waiting, isAtOnce: true } })).toMatchObject({
      kind: "connecting",
      why: GONE,
    });
  });

  test("is live while everything is received, even while a poll that failed is waited for", () => {
    expect(connectionState({ ...trying, machine: waiting, live })).toEqual({ kind: "live", sinceMs: 100, ...live });
  });

  test("says that the device is offline rather than that the server is gone, but not while messages come", () => {
    const offline = { ...trying, machine: waiting, offlineSinceMs: 50 };
    expect(connectionState(offline)).toEqual({ kind: "offline", sinceMs: 50 });
    expect(connectionState({ ...offline, live }).kind).toBe("live");
  });

  test("says that it has stopped once no topic exists, and that it is refused if one is for another reason", () => {
    const topics = (...codes: number[]): ServerPlan => {
      const subscriptions = codes.map((refusedCode, at) => ({ subId: at + 1, accountId: 0, refusedCode }));
      return new ServerPlan({ server, accounts: [], subscriptions } as never);
    };
    const idle = { ...trying, isIdle: true };
    const why = { kind: "no-topic-server" };
    expect(connectionState({ ...idle, plan: topics(40401, 40401) })).toEqual({ kind: "stopped", why });
    expect(connectionState({ ...idle, plan: topics(40401, 40009) })).toMatchObject({
      kind: "refused",
      why: { code: 40009 },
    });
  });

  test("is idle if there is nothing to receive, and refused if nothing may be received", () => {
    expect(connectionState({ ...trying, isIdle: true })).toEqual({ kind: "idle" });
    const refused = { subId: 1, accountId: 0, topic: "a", refusedCode: 40301 };
    const none = new ServerPlan({ server, accounts: [], subscriptions: [refused] } as never);
    expect(connectionState({ ...trying, isIdle: true, plan: none })).toMatchObject({
      kind: "refused",
      why: { kind: "forbidden", code: 40301, topics: ["a"] },
    });
  });
});
