import { type Credentials, type Failure, JsonFraming, SseFraming } from "../protocol";
import { EventReading, MAX_STRANGE_LINES, NO_EVENTS, type EventSink } from "./event-reading";
import { receiveFrames } from "./receive-frames";
import type { Requests } from "./requests";

/** What a stream is asked for: only live messages of these topics. */
export interface StreamRequest {
  topics: readonly string[];
  credentials?: Credentials | undefined;
}

/** Called with what an attempt to receive live brings. */
export interface LiveSink extends EventSink {
  heard(): void;
  /** The transport works. Streams needn't call this, as their first event shows it. */
  opened(): void;
}

/**
 * One attempt to receive live. It runs until it ends or is aborted, and resolves to how it ended. Never throws.
 * `held-back`: the server is there and willing, but this transport doesn't get through.
 */
export type Receive = (sink: LiveSink, signal: AbortSignal) => Promise<Failure | "held-back">;

/**
 * Receives by an HTTP stream (docs/protocol.md §7 and 8), without `since`, `scheduled` or filters, so that everything
 * it carries is live. SSE is read by `fetch` too, as `EventSource` gives up on any error status.
 */
export function receiveByStream(requests: Requests, format: "json" | "sse", request: StreamRequest): Receive {
  return async (sink, signal) => {
    const reading = new EventReading(sink, MAX_STRANGE_LINES);
    const end = await receiveFrames(requests, {
      ...request,
      format,
      framing: format === "json" ? new JsonFraming() : new SseFraming(),
      taker: reading,
      signal,
    });
    if (reading.isStrange()) return NO_EVENTS;
    return reading.failure ?? (end === "whole" ? { kind: "ended" } : end);
  };
}
