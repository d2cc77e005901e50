import {
  isStorable,
  JsonFraming,
  subscribeUrl,
  type Credentials,
  type Failure,
  type Since,
  type StorableEvent,
} from "../protocol";
import { isPage } from "./classify";
import { linkedAbort } from "./linked-abort";
import { readFrames } from "./read-frames";
import type { Requests } from "./requests";
import type { Surroundings } from "./surroundings";
import { Watchdog } from "./watchdog";

/** A poll without a byte for this long, ms, is dead. */
const SILENCE_MS = 60_000;

/** What to ask for. */
export interface PollRequest {
  topics: readonly string[];
  since: Since;
  /** Also what is not delivered yet. */
  scheduled: boolean;
  credentials?: Credentials | undefined;
  signal?: AbortSignal;
}

/** Told while the poll goes on. */
export interface PollSink {
  /** Of the topics that were asked for, in the server's order. */
  events(events: StorableEvent[]): void;
  malformed(count: number): void;
}

/**
 * Polls once (protocol, section 4). Undefined when the poll ended properly, so that it may move the safe cursors; else
 * why it did not. What came before a failure was handed on all the same.
 */
export async function poll(
  surroundings: Surroundings,
  requests: Requests,
  request: PollRequest,
  sink: PollSink,
): Promise<Failure | undefined> {
  const { aborter, unlink } = linkedAbort(request.signal);
  const failure = await pollUntil(surroundings, requests, request, sink, aborter);
  unlink();
  return failure;
}

async function pollUntil(
  surroundings: Surroundings,
  requests: Requests,
  { topics, since, scheduled, credentials }: PollRequest,
  sink: PollSink,
  aborter: AbortController,
): Promise<Failure | undefined> {
  const { address } = requests;
  const answer = await requests.send({
    url: (auth) =>
      subscribeUrl({ address, topics, format: "json", poll: true, since, scheduled, ...(auth && { auth }) }),
    credentials,
    signal: aborter.signal,
  });
  if (!answer.ok) return answer.error;
  if (isPage(answer.value)) {
    aborter.abort();
    return { kind: "malformed", text: "text/html" };
  }
  const asked = new Set(topics);
  let isSilent = false;
  const watchdog = new Watchdog(
    surroundings,
    () => SILENCE_MS,
    () => {
      isSilent = true;
      aborter.abort();
    },
  );
  const { whole } = await readFrames(answer.value.body, new JsonFraming(), {
    heard: () => watchdog.feed(),
    malformed: (count) => sink.malformed(count),
    events(events) {
      const storable = events.filter(isStorable);
      const wanted = storable.filter((event) => asked.has(event.topic));
      if (wanted.length < storable.length) sink.malformed(storable.length - wanted.length);
      if (wanted.length > 0) sink.events(wanted);
    },
  });
  watchdog.stop();
  if (whole) return undefined;
  return { kind: isSilent ? "silent" : "ended" };
}
