import type { ConnectionState } from "../../contract";
import { unreachable } from "../../protocol";
import { duration, timeOfDay } from "./format";

/** What a language says of the state of a connection. `length` is a duration, already formatted. */
export interface ConnectionWords {
  idle: string;
  connecting: string;
  live: string;
  /** @param topics how many take turns */
  inTurn: (topics: number) => string;
  /** @param time when the server last answered, already formatted; absent = it hasn't yet */
  polled: (length: string, time: string | undefined) => string;
  waiting: (length: string) => string;
  offline: string;
  refused: string;
  noTopicServer: string;
  stopped: string;
}

/** Writes states of connections with these words. */
export function connectionIn(words: ConnectionWords) {
  /** State of one server in a word or two. Times in ms; `heardAtMs`: when it last answered. */
  function short(state: ConnectionState, nowMs: number, heardAtMs?: number): string {
    switch (state.kind) {
      case "live":
        // A polled server is never called live, as between two polls it is unknown whether it is reachable.
        if (state.everyMs)
          return words.polled(duration(state.everyMs), heardAtMs === undefined ? undefined : timeOfDay(heardAtMs));
        return state.inTurn ? words.inTurn(state.inTurn) : words.live;
      case "waiting":
        return words.waiting(duration(Math.max(0, state.nextTryAtMs - nowMs)));
      case "idle":
      case "connecting":
      case "offline":
      case "refused":
        return words[state.kind];
      case "stopped":
        return state.why.kind === "no-topic-server" ? words.noTopicServer : words.stopped;
      default:
        return unreachable(state);
    }
  }

  /** The same for screen readers, with one word for all the states that alternate while reconnecting. */
  function spoken(state: ConnectionState | undefined): string {
    const isTrying = !state || state.kind === "idle" || state.kind === "connecting" || state.kind === "waiting";
    return isTrying ? words.idle : short(state, 0);
  }

  return { short, spoken };
}
