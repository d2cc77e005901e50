import {
  type Failure,
  type Credentials,
  type StorableEvent,
  type SubscribeRequest,
  isStorable,
  decodeLine,
  lineFraming,
} from "../../protocol";
import { EventReading, type EventSink, NO_EVENTS, receiveFrames } from "./receive-frames";
import type { Requests } from "./requests";

/** A poll that brings no byte for this long, ms, is dead. */
const SILENCE_MS = 60_000;

export interface PollRequest extends Required<Pick<SubscribeRequest, "topics" | "since" | "scheduled">> {
  /**
   * If given, a stream with `since` replaces the poll, because servers don't ration it; the keepalive after the replay
   * ends it. How long it may be silent, ms.
   */
  untilKeepaliveMs?: number | undefined;
  credentials?: Credentials | undefined;
  /** A longer answer, in bytes, comes from something else and is cut off. */
  mostBytes?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Polls once (docs/protocol.md §4). Resolves to undefined if the poll may move the cursors: it ended properly, its type
 * is right, and not all lines were skipped. Otherwise resolves to why not; what came before a failure was still passed
 * on.
 * @param sink takes the events of the topics that were asked for, in the server's order
 */
export async function poll(
  requests: Requests,
  { topics, signal, untilKeepaliveMs, mostBytes = Infinity, ...asked }: PollRequest,
  sink: EventSink<StorableEvent>,
): Promise<Failure | undefined> {
  const wantedTopics = new Set(topics);
  let wanted = 0;
  let foreign = 0;
  let isReplayed = false;
  let isStream = false;
  let bytes = 0;
  let allBytes = 0;
  const lines = lineFraming(decodeLine);
  const reading = new EventReading({
    malformed: (count) => sink.malformed?.(count),
    events(events) {
      isReplayed ||= events.some(({ event }) => event === "keepalive");
      isStream ||= events.some(({ event }) => event === "open" || event === "keepalive");
      const storable = events.filter(isStorable);
      const own = storable.filter((event) => wantedTopics.has(event.topic));
      wanted += own.length;
      foreign += storable.length - own.length;
      if (own.length < storable.length) sink.malformed?.(storable.length - own.length);
      if (own.length > 0) sink.events?.(own, bytes);
      bytes = 0;
    },
  });
  const end = await receiveFrames(requests, {
    ...asked,
    topics,
    format: "json",
    poll: untilKeepaliveMs === undefined,
    framing: { ...lines, push: (chunk) => ((bytes += chunk.length), (allBytes += chunk.length), lines.push(chunk)) },
    take(frames) {
      const verdict = reading.take(frames);
      const isEnough = allBytes > mostBytes || (untilKeepaliveMs === undefined ? isStream : isReplayed);
      return isEnough ? "enough" : verdict;
    },
    silenceMs: untilKeepaliveMs ?? SILENCE_MS,
    truncated: () => sink.truncated?.(),
    signal,
  });
  // A proxy that drops the query answers with a stream, which would never end.
  if (isStream && untilKeepaliveMs === undefined) return { kind: "malformed", text: "a stream in place of a poll" };
  if (allBytes > mostBytes) return { kind: "malformed", text: "an answer without an end" };
  // The answer to a different question says nothing about this one.
  if (reading.isStrange() || (wanted === 0 && foreign > 0)) return NO_EVENTS;
  if (reading.failure) return requests.counted(reading.failure);
  if (untilKeepaliveMs === undefined) return end === "whole" ? undefined : end;
  if (isReplayed) return undefined;
  return end === "whole" ? { kind: "ended" } : end;
}
