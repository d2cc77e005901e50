// When a server is tried, and what users see of that: a pure function from a state and an event to the next state and
// its effects. `server-connection.ts` reports the events and carries out the effects.
import type { ConnectionState } from "../../contract";
import { ERROR_CODES, unreachable, type Failure } from "../../protocol";
import { isOutage } from "../requests/classify";
import { TOO_MANY_ERRORS } from "../requests/requests";
import {
  afterCut,
  afterFailure,
  afterProbe,
  AT_ONCE_MS,
  STABLE_AFTER_MS,
  type NextTry,
  type Tries,
  type TryFacts,
} from "../requests/retry-policy";
import type { ServerPlan } from "../server/server-plan";

/** If a try brings no stream within this, ms, a poll may still get through. */
const POLL_BESIDE_AFTER_MS = 1_000;

export type MachineState =
  /** All that is wanted is open or being opened. `why`: how the last try ended, until one succeeds. */
  | { kind: "trying"; tries: Tries; why?: Failure }
  /** One wait for the whole server. `isAtOnce`: too short to be shown. */
  | { kind: "waiting"; tries: Tries; why: Failure; nextTryAtMs: number; isAtOnce: boolean };

export type MachineEvent =
  | { kind: "stream-opened" }
  /** A stream that had brought something ended, because the server or the network is gone. */
  | { kind: "stream-cut"; why: Failure }
  /** A try failed; `atLeastMs` is set when the server asks for a longer wait. */
  | { kind: "try-failed"; why: Failure; atLeastMs?: number | undefined }
  /** A probe was answered; `wasAway`: an earlier probe of this outage wasn't, so the server was gone. */
  | { kind: "probe-answered"; wasAway: boolean }
  /** The device or the user came back, or the user asked for a try. */
  | { kind: "asked" }
  /** What the server refused is left out, so the rest may be received. */
  | { kind: "left-out" }
  | { kind: "sight-changed" }
  | { kind: "timer"; timer: MachineTimer };

/** `try`: the wait is over; `stable`: a stream has held; `beside`: a try has brought no stream so far. */
export type MachineTimer = "try" | "stable" | "beside";

export type MachineEffect =
  /** Open missing streams, and make the polls that are due. */
  | { kind: "try" }
  /** Poll for what no stream receives. */
  | { kind: "poll-beside" }
  /** Keep asking whether the server is back, or stop asking. */
  | { kind: "probe"; isOn: boolean }
  /** Replaces a timer of the same name; without a time, only ends that. */
  | { kind: "timer"; timer: MachineTimer; afterMs?: number };

export interface MachineFacts extends TryFacts {
  /** Everything that is wanted is received. */
  isLive: boolean;
  /** Something that is wanted isn't received, and a page is in sight. */
  isMissed: boolean;
}

interface Step {
  state: MachineState;
  effects: MachineEffect[];
}

export function step(state: MachineState, event: MachineEvent, facts: MachineFacts): Step {
  const { tries } = state;
  const isWaiting = state.kind === "waiting";
  const stay: Step = { state, effects: [] };
  switch (event.kind) {
    case "stream-opened": {
      const holds: MachineEffect = { kind: "timer", timer: "stable", afterMs: STABLE_AFTER_MS };
      if (!facts.isLive) return { state, effects: [holds] };
      return { state: isWaiting ? state : { kind: "trying", tries }, effects: [holds, { kind: "probe", isOn: false }] };
    }
    case "stream-cut":
    case "try-failed": {
      const broke: MachineEffect = { kind: "timer", timer: "stable" };
      if (isWaiting) return { state, effects: [broke] };
      const next = event.kind === "stream-cut" ? afterCut(tries, facts) : afterFailure(tries, facts, event.atLeastMs);
      const waiting = wait(next, event.why, facts);
      return { ...waiting, effects: [broke, ...waiting.effects] };
    }
    case "probe-answered": {
      const next = isWaiting ? afterProbe(tries, facts, event.wasAway) : undefined;
      return isWaiting && next ? wait(next, state.why, facts) : stay;
    }
    case "asked":
      return tryNow(state, { ...tries, failures: 0 }, facts);
    case "left-out":
      return isWaiting ? stay : tryNow(state, tries, facts);
    case "sight-changed": {
      const isOn = facts.isMissed && (!isWaiting || isOutage(state.why));
      return { state, effects: [{ kind: "probe", isOn }] };
    }
    case "timer":
      switch (event.timer) {
        case "try":
          return tryNow(state, tries, facts);
        case "stable":
          return { state: { ...state, tries: { ...tries, failures: 0 } }, effects: [] };
        case "beside":
          // It may be held back while a poll gets through, or the server may be gone.
          return isWaiting
            ? stay
            : { state, effects: [{ kind: "probe", isOn: facts.isMissed }, { kind: "poll-beside" }] };
        default:
          return unreachable(event.timer);
      }
    default:
      return unreachable(event);
  }
}

function tryNow(state: MachineState, tries: Tries, { isLive }: MachineFacts): Step {
  const { why } = state;
  return {
    state: { kind: "trying", tries, ...(why && !isLive && { why }) },
    effects: [
      { kind: "timer", timer: "try" },
      { kind: "try" },
      { kind: "timer", timer: "beside", afterMs: POLL_BESIDE_AFTER_MS },
    ],
  };
}

/** Waits before the next try, and probes a server that is gone, unless only the user or a longer wait can end that. */
function wait({ tries, afterMs }: NextTry, why: Failure, { nowMs, isMissed }: MachineFacts): Step {
  const isAtOnce = afterMs <= AT_ONCE_MS;
  return {
    state: { kind: "waiting", tries, why, nextTryAtMs: nowMs + afterMs, isAtOnce },
    effects: [
      { kind: "timer", timer: "try", afterMs },
      { kind: "probe", isOn: isMissed && isOutage(why) && !isAtOnce },
    ],
  };
}

export interface StateFacts {
  machine: MachineState;
  /** Whether there is nothing to receive or search for. */
  isIdle: boolean;
  plan: ServerPlan;
  /** When topics that wait are asked about next, device clock, ms. */
  askAtMs: number | undefined;
  /** How everything wanted is received; undefined while something isn't. */
  live: Omit<Extract<ConnectionState, { kind: "live" }>, "kind" | "sinceMs"> | undefined;
  /** When a server that takes no more requests for now is asked next, device clock, ms. */
  busyUntilMs: number | undefined;
  /** Since when the device has had no network, device clock, ms. */
  offlineSinceMs: number | undefined;
  /** Since when the state has been of its kind, device clock, ms. */
  sinceMs: number;
}

/** The state that users see. Derived each time, never stored. */
export function connectionState(facts: StateFacts): ConnectionState {
  const { machine, isIdle, plan, askAtMs, live, busyUntilMs, offlineSinceMs, sinceMs } = facts;
  if (isIdle) {
    const why = plan.refusal;
    if (why) return { kind: why.kind === "no-topic-server" ? "stopped" : "refused", why };
    if (askAtMs === undefined || plan.waitingTopics.length === 0) return { kind: "idle" };
    const notAdmitted = { kind: "busy", code: ERROR_CODES.tooManyNewTopics } as const;
    return { kind: "waiting", attempt: 1, nextTryAtMs: askAtMs, why: notAdmitted };
  }
  if (live) return { kind: "live", sinceMs, ...live };
  if (offlineSinceMs !== undefined) return { kind: "offline", sinceMs: offlineSinceMs };
  const { why } = machine;
  const attempt = machine.tries.failures;
  if (machine.kind === "waiting" && !machine.isAtOnce)
    return { kind: "waiting", attempt, nextTryAtMs: machine.nextTryAtMs, why: machine.why };
  if (busyUntilMs !== undefined) return { kind: "waiting", attempt: 1, nextTryAtMs: busyUntilMs, why: TOO_MANY_ERRORS };
  return { kind: "connecting", attempt, sinceMs, ...(why && { why }) };
}
