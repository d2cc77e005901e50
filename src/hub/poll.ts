import type { Failure, Credentials, Since, StorableEvent } from "../protocol";
import { isStorable, JsonFraming } from "../protocol";
import { EventReading, NO_EVENTS } from "./event-reading";
import { receiveFrames } from "./receive-frames";
import type { Requests } from "./requests";
import type { Clock } from "./environment";

/** A poll that brings no byte for this long, ms, is dead. */
const SILENCE_MS = 60_000;

/** What to ask for. */
export interface PollRequest {
  topics: readonly string[];
  since: Since;
  /** Whether to include messages that aren't delivered yet. */
  scheduled: boolean;
  /**
   * Given = a stream with `since` takes the poll's place, which servers don't charge for; a keepalive comes after the
   * replay, and ends it. How long it may be silent, ms.
   */
  untilKeepaliveMs?: number | undefined;
  credentials?: Credentials | undefined;
  signal?: AbortSignal;
}

/** Called while the poll goes on. */
export interface PollSink {
  /** Events of the topics that were asked for, in the server's order. */
  events(events: StorableEvent[]): void;
  malformed(count: number): void;
  /** The server says that it sends only the newest part. */
  truncated?(): void;
}

/**
 * Polls once (docs/protocol.md §4). Resolves to undefined if the poll may move the safe cursors: it ended properly, its
 * type is right, and not all of its lines were skipped. Otherwise resolves to why not; what came before a failure was
 * still handed on.
 */
export async function poll(
  clock: Clock,
  requests: Requests,
  { topics, signal, untilKeepaliveMs, ...asked }: PollRequest,
  sink: PollSink,
): Promise<Failure | undefined> {
  const wantedTopics = new Set(topics);
  let wanted = 0;
  let foreign = 0;
  let isReplayed = false;
  const reading = new EventReading({
    malformed: (count) => sink.malformed(count),
    events(events) {
      isReplayed ||= events.some(({ event }) => event === "keepalive");
      const storable = events.filter(isStorable);
      const own = storable.filter((event) => wantedTopics.has(event.topic));
      wanted += own.length;
      foreign += storable.length - own.length;
      if (own.length < storable.length) sink.malformed(storable.length - own.length);
      if (own.length > 0) sink.events(own);
    },
  });
  const end = await receiveFrames(requests, {
    ...asked,
    topics,
    format: "json",
    poll: untilKeepaliveMs === undefined,
    framing: new JsonFraming(),
    taker: {
      take(frames) {
        const verdict = reading.take(frames);
        return untilKeepaliveMs !== undefined && isReplayed ? "enough" : verdict;
      },
    },
    silence: { clock, limitMs: () => untilKeepaliveMs ?? SILENCE_MS },
    truncated: () => sink.truncated?.(),
    signal,
  });
  // An answer to something else says nothing about what was asked.
  if (reading.isStrange() || (wanted === 0 && foreign > 0)) return NO_EVENTS;
  if (reading.failure) {
    // The server counts an error that it could only tell in the body like any other.
    requests.count.answered("code" in reading.failure ? Math.floor(reading.failure.code / 100) : 400);
    return reading.failure;
  }
  if (untilKeepaliveMs === undefined) return end === "whole" ? undefined : end;
  if (isReplayed) return undefined;
  return end === "whole" ? { kind: "ended" } : end;
}
