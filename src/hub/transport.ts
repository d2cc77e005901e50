import { JsonFraming, SseFraming, type Credentials, type Failure } from "../protocol";
import { MOST_STRANGE_LINES, readFrames, type FrameSink } from "./read-frames";
import type { Requests } from "./requests";
import { NO_EVENTS, subscribe } from "./subscribe";

/** What a stream is asked for: only live messages of these topics. */
export interface StreamRequest {
  topics: readonly string[];
  credentials?: Credentials | undefined;
}

/** Called with what an attempt to receive live brings. */
export interface LiveSink extends FrameSink {
  /** The transport works. Streams needn't call this, as their first event shows it. */
  opened(): void;
}

/**
 * One attempt to receive live. It runs until it ends or is aborted, and resolves to how it ended. Never throws.
 * `held-back`: the server is there and willing, but this transport doesn't get through.
 */
export type Receive = (sink: LiveSink, signal: AbortSignal) => Promise<Failure | "held-back">;

const FRAMINGS = { json: JsonFraming, sse: SseFraming };

/**
 * Receives by an HTTP stream (docs/protocol.md §7 and 8), without `since`, `scheduled` or filters, so that everything
 * it carries is live. SSE is read by `fetch` too, as `EventSource` gives up on any error status.
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
