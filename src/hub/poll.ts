import { isStorable, JsonFraming, type Credentials, type Failure, type Since, type StorableEvent } from "../protocol";
import { linkedAbort } from "./linked-abort";
import { readFrames } from "./read-frames";
import type { Requests } from "./requests";
import { NO_EVENTS, subscribe } from "./subscribe";
import type { Environment } from "./environment";
import { Watchdog } from "./watchdog";

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
  environment: Environment,
  requests: Requests,
  request: PollRequest,
  sink: PollSink,
): Promise<Failure | undefined> {
  const { aborter, unlink } = linkedAbort(request.signal);
  const failure = await pollUntil(environment, requests, request, sink, aborter);
  unlink();
  return failure;
}

async function pollUntil(
  environment: Environment,
  requests: Requests,
  { topics, since, scheduled, credentials }: PollRequest,
  sink: PollSink,
  aborter: AbortController,
): Promise<Failure | undefined> {
  const asking = { topics, format: "json", poll: true, since, scheduled, credentials, signal: aborter.signal } as const;
  const answer = await subscribe(requests, asking);
  if (!answer.ok) return answer.error;
  const asked = new Set(topics);
  let isSilent = false;
  let wanted = 0;
  let foreign = 0;
  const watchdog = new Watchdog(
    environment,
    () => SILENCE_MS,
    () => {
      isSilent = true;
      aborter.abort();
    },
  );
  const { whole, isStrange } = await readFrames(answer.value.body, new JsonFraming(), {
    heard: () => watchdog.feed(),
    malformed: (count) => sink.malformed(count),
    events(events) {
      const storable = events.filter(isStorable);
      const own = storable.filter((event) => asked.has(event.topic));
      wanted += own.length;
      foreign += storable.length - own.length;
      if (own.length < storable.length) sink.malformed(storable.length - own.length);
      if (own.length > 0) sink.events(own);
    },
  });
  watchdog.stop();
  // An answer to something else says nothing about what was asked.
  if (isStrange || (wanted === 0 && foreign > 0)) return NO_EVENTS;
  if (whole) return undefined;
  return { kind: isSilent ? "silent" : "ended" };
}
