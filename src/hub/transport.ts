import { JsonFraming, SseFraming, type Credentials, type Failure } from "../protocol";
import { MOST_STRANGE_LINES, readFrames, type FrameSink } from "./read-frames";
import type { Requests } from "./requests";
import { NO_EVENTS, subscribe } from "./subscribe";

/** What a stream is asked for: live messages of these topics, nothing else. */
export interface StreamRequest {
  topics: readonly string[];
  credentials?: Credentials | undefined;
}

/** What an attempt to receive live brings. */
export interface LiveSink extends FrameSink {
  /** It works. Streams need not say so: their first event shows it. */
  opened(): void;
}

/**
 * One attempt to receive live: runs until it ends or is aborted, and says how it ended. Never throws. `held-back`: the
 * server is there and willing, but this transport does not get through.
 */
export type Receive = (sink: LiveSink, signal: AbortSignal) => Promise<Failure | "held-back">;

const FRAMINGS = { json: JsonFraming, sse: SseFraming };

/**
 * Receives by an HTTP stream (docs/protocol.md §7 and 8), without `since`, `scheduled` or filters, so that all it
 * carries is live. SSE is read by `fetch` as well: `EventSource` gives up on any status.
 */
export function receiveByStream(requests: Requests, format: "json" | "sse", request: StreamRequest): Receive {
  const { topics, credentials } = request;
  return async (sink, signal) => {
    const answer = await subscribe(requests, { topics, format, credentials, signal });
    if (!answer.ok) return answer.error;
    const { isStrange } = await readFrames(answer.value.body, new FRAMINGS[format](), sink, MOST_STRANGE_LINES);
    return isStrange ? NO_EVENTS : { kind: "ended" };
  };
}
