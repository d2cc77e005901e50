import { type Failure, ERROR_CODES, unreachable } from "../../protocol";
import { MIN_DELAY_MS } from "./retry-policy";

/** A server's allowance grows by one request every 5 s (docs/protocol.md §11); a shorter wait would use it up again. */
const BUSY_DELAY_MS = 15_000;

/** What passes only in minutes or hours (docs/protocol.md §10 and 11): earlier tries would make it last. */
const LASTING: readonly number[] = [
  ERROR_CODES.tooManyFailedLogins,
  ERROR_CODES.tooMuchTraffic,
  ERROR_CODES.noMessageLeft,
];
const LASTING_DELAY_MS = 300_000;

/** Codes begin with their HTTP status: from here on, something failed inside the server. */
const FIRST_SERVER_ERROR = 50_000;

/**
 * What to do about a failure (docs/design.md §4, "Answers"):
 * - `retry`: an outage; try again after a wait of at least `afterMs`
 * - `leave-out`: a topic or the credentials were refused, or no more topics are admitted for now; keep the rest alive
 */
export type Reaction = { kind: "retry"; afterMs: number } | { kind: "leave-out"; code: number };

export function reactionTo(failure: Failure): Reaction {
  switch (failure.kind) {
    case "unauthorized":
    case "forbidden":
      return { kind: "leave-out", code: failure.code };
    // It may apply to one topic only, as with a proxy that has a rule for its path.
    case "no-topic-server":
      return { kind: "leave-out", code: ERROR_CODES.notFound };
    case "busy":
      if (isNotAdmitted(failure)) return { kind: "leave-out", code: failure.code };
      return { kind: "retry", afterMs: LASTING.includes(failure.code) ? LASTING_DELAY_MS : BUSY_DELAY_MS };
    case "http":
      // An unknown refusal counts as a topic's, so that it can't silence a server.
      if (failure.code !== undefined && failure.code < FIRST_SERVER_ERROR && !isMarkerRefused(failure)) {
        return { kind: "leave-out", code: failure.code };
      }
      return { kind: "retry", afterMs: MIN_DELAY_MS };
    case "network":
    case "silent":
    case "ended":
    case "not-allowed-by-browser":
    case "malformed":
      return { kind: "retry", afterMs: MIN_DELAY_MS };
    default:
      return unreachable(failure);
  }
}

/** Whether the server refused the marker to start from. */
export function isMarkerRefused(failure: Failure): boolean {
  return failure.kind === "http" && failure.code === ERROR_CODES.badSince;
}

/** Whether the server takes no more topics for now (docs/protocol.md §10): a list is refused as a whole. */
export function isNotAdmitted(failure: Failure): boolean {
  return failure.kind === "busy" && isAdmissionCode(failure.code);
}

export function isAdmissionCode(code: number): boolean {
  return code === ERROR_CODES.tooManyNewTopics || code === ERROR_CODES.noRoomForTopics;
}

/** Busy, but not with too many requests. */
const BUSY_OTHERWISE: ReadonlySet<number> = new Set([
  ERROR_CODES.tooManyStreams,
  ERROR_CODES.noRoomForTopics,
  ERROR_CODES.tooMuchTraffic,
  ERROR_CODES.tooManyFailedLogins,
  ERROR_CODES.tooManyNewTopics,
  ERROR_CODES.noMessageLeft,
]);

/** Whether the server, or a proxy, takes no request of any kind for now. */
export function isRationed(failure: Failure): boolean {
  if (failure.kind === "http") return failure.status === 429;
  return failure.kind === "busy" && !BUSY_OTHERWISE.has(failure.code);
}

/** Whether this visitor's daily traffic is used up (docs/protocol.md §11). */
export function isTrafficSpent(failure: Failure | undefined): boolean {
  return failure?.kind === "busy" && failure.code === ERROR_CODES.tooMuchTraffic;
}

/** Whether the server seems to be down, so that it is worth asking whether it is back. */
export function isOutage(failure: Failure): boolean {
  switch (failure.kind) {
    case "network":
    case "silent":
    case "ended":
    case "malformed":
      return true;
    case "http":
      return failure.status >= 500;
    case "busy":
    case "unauthorized":
    case "forbidden":
    case "no-topic-server":
    case "not-allowed-by-browser":
      return false;
    default:
      return unreachable(failure);
  }
}
