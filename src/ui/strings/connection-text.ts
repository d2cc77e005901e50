import type { ConnectionState } from "../../contract";
import { unreachable } from "../../protocol";
import { duration, timeOfDay } from "./format";

/** What a language says of the state of a connection. `length` is a duration, already formatted. */
export interface ConnectionStrings {
  idle: string;
  connecting: string;
  live: string;
  /** @param topics how many take turns, each about every `length` */
  inTurn: (topics: number, length: string) => string;
  /** @param time when the server last answered, already formatted; absent = it hasn't yet */
  polled: (length: string, time: string | undefined) => string;
  waiting: (length: string) => string;
  offline: string;
  refused: string;
  noTopicServer: string;
  stopped: string;
}

/** Writes states of connections with these strings. */
export function connectionTextFrom(strings: ConnectionStrings) {
  /** State of one server in a word or two. Times in ms; `heardAtMs`: when it last answered. */
  function short(state: ConnectionState, nowMs: number, heardAtMs?: number): string {
    switch (state.kind) {
      case "live":
        // A polled server is never called live, as between two polls it is unknown whether it is reachable.
        if (state.everyMs)
          return strings.polled(duration(state.everyMs), heardAtMs === undefined ? undefined : timeOfDay(heardAtMs));
        return state.inTurn ? strings.inTurn(state.inTurn.topics, duration(state.inTurn.everyMs)) : strings.live;
      case "waiting":
        return strings.waiting(duration(Math.max(0, state.nextTryAtMs - nowMs)));
      case "idle":
      case "connecting":
      case "offline":
      case "refused":
        return strings[state.kind];
      case "stopped":
        return state.why.kind === "no-topic-server" ? strings.noTopicServer : strings.stopped;
      default:
        return unreachable(state);
    }
  }

  /** The same for screen readers, with one word for all the states that alternate while reconnecting. */
  function spoken(state: ConnectionState | undefined): string {
    const isTrying = !state || state.kind === "idle" || state.kind === "connecting" || state.kind === "waiting";
    return isTrying ? strings.idle : short(state, 0);
  }

  return { short, spoken };
}
