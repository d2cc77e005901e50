import {
  type Credentials,
  type Failure,
  JsonFraming,
  SseFraming,
  authCheckUrl,
  frameOfText,
  MALFORMED,
  subscribeUrl,
} from "../../protocol";
import type { ConnectWebSocket } from "../environment";
import { EventReading, MAX_STRANGE_LINES, NO_EVENTS, receiveFrames, type EventSink } from "./receive-frames";
import { type Requests, TOO_MANY_ERRORS } from "./requests";

/** What a stream is for: only live messages of these topics. */
export interface StreamRequest {
  topics: readonly string[];
  credentials?: Credentials | undefined;
}

/** One attempt to receive live, until it ends or is aborted. Never throws. `held-back`: this transport is blocked. */
export type Receive = (sink: EventSink, signal: AbortSignal) => Promise<Failure | "held-back">;

/** Receives by an HTTP stream, live only (docs/protocol.md §8). `EventSource` gives up on errors, so SSE is fetched. */
export function receiveByStream(requests: Requests, format: "json" | "sse", request: StreamRequest): Receive {
  return async (sink, signal) => {
    const reading = new EventReading(sink, MAX_STRANGE_LINES);
    const end = await receiveFrames(requests, {
      ...request,
      format,
      framing: format === "json" ? new JsonFraming() : new SseFraming(),
      taker: reading,
      signal,
      onTurn: () => sink.asked?.(),
    });
    if (reading.isStrange()) return NO_EVENTS;
    if (reading.failure) return requests.counted(reading.failure);
    return end === "whole" ? { kind: "ended" } : end;
  };
}

/** Receives by a WebSocket (docs/protocol.md §7 and 8). It has no headers, so credentials go into its address. */
export function receiveByWebSocket(connect: ConnectWebSocket, requests: Requests, request: StreamRequest): Receive {
  const { topics, credentials } = request;
  const { address } = requests;
  return async (sink, signal) => {
    if (requests.isBounded) await requests.count.turn(signal);
    if (signal.aborted) return { kind: "ended" };
    sink.asked?.();
    if (requests.isBounded && requests.count.room("receiving") < 1) {
      requests.count.refused(requests.environment.now());
      return TOO_MANY_ERRORS;
    }
    requests.count.add();
    const madeAtMs = requests.environment.now();
    let isServed = false;
    const reading = new EventReading(sink, MAX_STRANGE_LINES);
    await new Promise<void>((resolve) => {
      const url = subscribeUrl({
        address,
        topics,
        format: "ws",
        ...(credentials && { auth: credentials }),
      });
      const line = connect(url, {
        data(data) {
          if (signal.aborted) return;
          if (!isServed) requests.count.served(madeAtMs);
          isServed = true;
          // Binary data isn't a frame of the protocol; it counts as a line that can't be read.
          if (reading.take([typeof data === "string" ? frameOfText(data) : MALFORMED]) !== "enough") return;
          line.close();
          resolve();
        },
        closed: () => resolve(),
      });
      signal.addEventListener("abort", () => {
        line.close();
        resolve();
      });
    });
    if (reading.isStrange()) return NO_EVENTS;
    if (reading.failure) return requests.counted(reading.failure);
    if (isServed || signal.aborted) return { kind: "ended" };
    // It may have been refused; its status is hidden.
    requests.count.answered(400);
    return whyRefused(requests, request, signal);
  };
}

/** A refused handshake tells a script nothing (docs/protocol.md §10), so a plain request has to find out why. */
async function whyRefused(
  requests: Requests,
  { topics, credentials }: StreamRequest,
  signal: AbortSignal,
): Promise<Failure | "held-back"> {
  const failure = await requests.failure({
    url: (auth) => authCheckUrl({ address: requests.address, topics, ...(auth && { auth }) }),
    credentials,
    signal,
    isOnce: true,
  });
  // If the server answers and lets us read, something in between blocks the upgrade.
  return failure ?? "held-back";
}
