import type { ConnectionState } from "../contract";
import { ERROR_CODES, type Failure } from "../protocol";
import type { Timer } from "./environment";
import type { ServerPlan } from "./server-plan";

/** What a connection does about its streams. */
export type Phase =
  /** What is wanted is open or being opened. `why`: how the last try ended, until one gets through. */
  | { kind: "trying"; why?: Failure }
  /** One wait for the whole server. `isAtOnce`: it is so short that it isn't shown. */
  | { kind: "waiting"; timer: Timer; nextTryAtMs: number; isAtOnce: boolean; why: Failure }
  /** Nothing is tried until the user asks. */
  | { kind: "stopped"; why: Failure }
  | { kind: "over" };

/** What the state that users see depends on. */
export interface StateFacts {
  phase: Phase;
  /** Nothing is to be received, and nothing is being looked for. */
  isIdle: boolean;
  plan: ServerPlan;
  /** When topics that wait are asked about next, device clock, ms. */
  askAtMs: number | undefined;
  /** How everything wanted is received; undefined while something isn't. */
  live: Omit<Extract<ConnectionState, { kind: "live" }>, "kind" | "sinceMs"> | undefined;
  /** Since when the device has had no network, device clock, ms. */
  offlineSinceMs: number | undefined;
  /** How many tries failed in a row. */
  failures: number;
  /** Since when the state has been of its kind, device clock, ms. */
  sinceMs: number;
}

/** The state that users see. It is derived each time, never stored. */
export function connectionState(facts: StateFacts): ConnectionState {
  const { phase, isIdle, plan, askAtMs, live, offlineSinceMs, failures: attempt, sinceMs } = facts;
  if (phase.kind === "stopped") return { kind: "stopped", why: phase.why };
  if (isIdle) {
    const why = plan.refusal;
    if (why) return { kind: "refused", why };
    if (askAtMs === undefined || plan.waitingTopics.length === 0) return { kind: "idle" };
    const notAdmitted = { kind: "busy", code: ERROR_CODES.tooManyNewTopics } as const;
    return { kind: "waiting", attempt: 1, nextTryAtMs: askAtMs, why: notAdmitted };
  }
  if (live) return { kind: "live", sinceMs, ...live };
  if (offlineSinceMs !== undefined) return { kind: "offline", sinceMs: offlineSinceMs };
  if (phase.kind === "waiting" && !phase.isAtOnce) {
    return { kind: "waiting", attempt, nextTryAtMs: phase.nextTryAtMs, why: phase.why };
  }
  return { kind: "connecting", attempt, sinceMs, ...("why" in phase && { why: phase.why }) };
}
