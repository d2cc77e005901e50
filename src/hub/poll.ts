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
  credentials?: Credentials | undefined;
  signal?: AbortSignal;
}

/** Called while the poll goes on. */
export interface PollSink {
  /** Events of the topics that were asked for, in the server's order. */
  events(events: StorableEvent[]): void;
  malformed(count: number): void;
}

/**
 * Polls once (docs/protocol.md §4). Resolves to undefined if the poll may move the safe cursors: it ended properly, its
 * type is right, and not all of its lines were skipped. Otherwise resolves to why not; what came before a failure was
 * still handed on.
 */
export async function poll(
  clock: Clock,
  requests: Requests,
  { topics, signal, ...asked }: PollRequest,
  sink: PollSink,
): Promise<Failure | undefined> {
  const wantedTopics = new Set(topics);
  let wanted = 0;
  let foreign = 0;
  const reading = new EventReading({
    malformed: (count) => sink.malformed(count),
    events(events) {
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
    poll: true,
    framing: new JsonFraming(),
    taker: reading,
    silence: { clock, limitMs: () => SILENCE_MS },
    signal,
  });
  // An answer to something else says nothing about what was asked.
  if (reading.isStrange() || (wanted === 0 && foreign > 0)) return NO_EVENTS;
  if (end !== "whole") return end;
  if (!reading.failed) return undefined;
  // The server counts an error that it could only tell in the body like any other.
  requests.count.answered(400);
  return { kind: "ended" };
}
