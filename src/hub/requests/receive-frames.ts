import {
  failureOf,
  type Failure,
  type Credentials,
  type Frame,
  type Framing,
  type HttpFormat,
  type ProtocolEvent,
  type SubscribeRequest,
  isStreamType,
  subscribeUrl,
} from "../../protocol";
import { linkedAbort, type Clock, type Timer } from "../environment";
import type { Requests } from "./requests";

/** How much of an unexpected `Content-Type` is kept for the connection's details, characters. */
const MAX_TYPE_TEXT = 100;

/** What a chunk shows: the server is alive, nothing of the protocol so far, or it is useless to read on. */
export type ChunkVerdict = "alive" | "strange" | "enough";

/** What to request, and what to do with the answer. */
export interface FramesRequest<AnyFrame> extends Omit<SubscribeRequest, "address" | "format"> {
  format: HttpFormat;
  credentials?: Credentials | undefined;
  framing: Framing<AnyFrame>;
  /** Takes the answer's frames, chunk by chunk; a chunk may complete none. */
  take(frames: AnyFrame[]): ChunkVerdict;
  /** Called if the server says that it sends only the newest part of what was asked for. */
  truncated?: () => void;
  /** How long a started answer may be silent, ms. Absent for a `StreamAttempt`, which watches its transport itself. */
  silenceMs?: number;
  signal?: AbortSignal | undefined;
  /** Called when the request is about to be made; with a busy server it has to wait. */
  onTurn?: (() => void) | undefined;
}

/**
 * Requests a stream or a poll and reads it to its end (docs/protocol.md §2 to 4 and 7). Resolves to `whole` if nothing
 * is missing: the server closed the answer after a complete last line. Otherwise resolves to why not; what came before
 * was still used. Never throws.
 */
export async function receiveFrames<AnyFrame>(
  requests: Requests,
  { credentials, framing, take, truncated, silenceMs, onTurn, signal, ...asked }: FramesRequest<AnyFrame>,
): Promise<Failure | "whole"> {
  const { aborter, unlink } = linkedAbort(signal);
  let end: Failure = { kind: "ended" };
  let watchdog: Watchdog | undefined;
  try {
    const answer = await requests.send({
      url: subscribeUrl({ address: requests.address, ...asked }),
      credentials,
      signal: aborter.signal,
      isOnce: asked.poll !== true,
      onTurn,
    });
    if (!answer.ok) return answer.error;
    const { headers, body } = answer.value;
    const type = headers.get("Content-Type");
    // Any other type is the sign-in page of a guest network, or something else at the address, whatever its status.
    if (!isStreamType(asked.format, type)) {
      // If the connection breaks meanwhile, there is nothing to cancel.
      void body?.cancel().catch(() => undefined);
      return { kind: "malformed", text: (type ?? "no Content-Type").slice(0, MAX_TYPE_TEXT) };
    }
    if (headers.get("X-Messages-Truncated") === "1") truncated?.();
    const die = (): void => {
      end = { kind: "silent" };
      aborter.abort();
    };
    if (silenceMs !== undefined) watchdog = new Watchdog(requests.environment, () => silenceMs, die);
    return (await readFrames(body, framing, take, watchdog)) ? "whole" : end;
  } finally {
    watchdog?.stop();
    unlink();
  }
}

/** Reads to the end, which may be a broken connection. Resolves to whether nothing is missing. */
async function readFrames<AnyFrame>(
  body: ReadableStream<Uint8Array> | null,
  framing: Framing<AnyFrame>,
  take: FramesRequest<AnyFrame>["take"],
  watchdog: Watchdog | undefined,
): Promise<boolean> {
  const reader = body?.getReader();
  for (;;) {
    const chunk = reader ? await reader.read().catch(() => undefined) : { done: true as const };
    if (!chunk) return false;
    if (chunk.done) return framing.end();
    const taken = take(framing.push(chunk.value));
    if (taken !== "strange") watchdog?.feed();
    if (taken !== "enough") continue;
    void reader?.cancel().catch(() => undefined);
    return false;
  }
}

/** Takes what a stream or poll carries, chunk by chunk, all the way from the bytes to the store. */
export interface EventSink<AnyEvent = ProtocolEvent> {
  /** The request is about to be made. */
  asked?(): void;
  /** It works. Streams needn't call this, because their first event shows it. */
  opened?(): void;
  /** Bytes came. Not called while everything so far was strange. */
  heard?(): void;
  /** The events of a chunk, in the order they came; never empty. Polls tell how many bytes came for them. */
  events?(events: AnyEvent[], bytes?: number): void;
  /** How many lines were skipped (docs/design.md §7). */
  malformed?(count: number): void;
  /** The server says that it sends only the newest part. */
  truncated?(): void;
}

/** After this many other lines, nothing of the protocol will come. Lines may break on the way (docs/design.md §7). */
export const MAX_STRANGE_LINES = 10;

/** The failure if lines of the right type came, but none of them was of the protocol. */
export const NO_EVENTS: Failure = { kind: "malformed", text: "no line is an event" };

/** Extracts the events from one answer's frames, and keeps track of what its lines were. */
export class EventReading {
  /** The error the server told in a line: the answer is incomplete even if it ended properly (docs/protocol.md §7). */
  failure: Failure | undefined;
  #isUnderstood = false;
  #strange = 0;

  /** @param mostStrange gives up after this many strange lines */
  constructor(
    private readonly sink: EventSink,
    private readonly mostStrange = Infinity,
  ) {}

  take(frames: Frame[]): ChunkVerdict {
    const wasStrange = this.isStrange();
    if (!wasStrange) this.sink.heard?.();
    const events: ProtocolEvent[] = [];
    let malformed = 0;
    for (const frame of frames) {
      if (frame.kind === "event") events.push(frame.event);
      if (frame.kind === "malformed") malformed += 1;
      else if (frame.kind === "error") this.failure ??= failureOf(frame.body);
      else this.#isUnderstood ||= frame.kind !== "blank";
    }
    this.#strange += malformed;
    if (malformed > 0) this.sink.malformed?.(malformed);
    if (events.length > 0) this.sink.events?.(events);
    if (this.isStrange(this.mostStrange)) return "enough";
    return wasStrange ? "strange" : "alive";
  }

  /** Whether this many lines were malformed and nothing, not even an error, was of the protocol. */
  isStrange(atLeast = 1): boolean {
    return this.#strange >= atLeast && !this.#isUnderstood && !this.failure;
  }
}

/** The interval between keepalives, ms, until one has been observed (docs/protocol.md §8). */
export const DEFAULT_KEEPALIVE_MS = 45_000;

/** Added to two intervals, ms, for slow networks. */
const MARGIN_MS = 10_000;

/** How long a stream may be silent before it counts as dead, ms (docs/design.md §4). */
export function longestSilenceMs(keepaliveMs: number): number {
  return 2 * keepaliveMs + MARGIN_MS;
}

/** Calls back once, after too long a silence. One timer serves thousands of `feed` calls. */
export class Watchdog {
  #timer: Timer | undefined;
  /** When the last sign of life came, device clock, ms. */
  lastMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly limitMs: () => number,
    private readonly bark: () => void,
  ) {
    this.lastMs = clock.now();
    this.#arm(limitMs());
  }

  feed(): void {
    this.lastMs = this.clock.now();
  }

  /** Restarts after it has called back. */
  restart(): void {
    this.feed();
    this.#arm(this.limitMs());
  }

  stop(): void {
    this.clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #arm(delayMs: number): void {
    this.#timer = this.clock.setTimer(() => {
      const limitMs = this.limitMs();
      const leftMs = this.lastMs + limitMs - this.clock.now();
      // More time than the limit can be left only if the clock was set back, which says nothing about the silence.
      if (leftMs > limitMs) this.feed();
      if (leftMs > 0) this.#arm(Math.min(leftMs, limitMs));
      else this.bark();
    }, delayMs);
  }
}
