import type { Frame, Framing, ProtocolEvent } from "../protocol";

/** Called with what a body carries, chunk by chunk. */
export interface FrameSink {
  /** Any bytes came. Not called while everything so far was strange. */
  heard(): void;
  /** The events of a chunk, in the order in which they came; never empty. */
  events(events: ProtocolEvent[]): void;
  /** This many lines were skipped (docs/design.md §7). */
  malformed(count: number): void;
}

/** How a body ended. */
export interface BodyEnd {
  /**
   * Nothing is missing: the server closed the body after a complete last line, and reported no error of its own inside
   * (docs/protocol.md §7).
   */
  whole: boolean;
  /** There were lines, but none of them was of the protocol. */
  isStrange: boolean;
}

/**
 * A stream begins with `open` or with a message: after this many lines of something else, nothing of the protocol will
 * come. It is more than one, as lines broken on the way are skipped (docs/design.md §7).
 */
export const MOST_STRANGE_LINES = 10;

/** Keeps track of what the lines so far were. */
export class Reading {
  /** The server reported an error of its own. */
  failed = false;
  #isUnderstood = false;
  #strange = 0;

  /** Passes on the frames of one chunk. */
  pass(frames: Frame[], sink: FrameSink): void {
    const events: ProtocolEvent[] = [];
    let malformed = 0;
    for (const frame of frames) {
      if (frame.kind === "event") events.push(frame.event);
      if (frame.kind === "malformed") {
        malformed += 1;
        this.failed ||= frame.error.kind === "error-object";
      } else if (frame.kind !== "blank") this.#isUnderstood = true;
    }
    this.#strange += malformed;
    if (malformed > 0) sink.malformed(malformed);
    if (events.length > 0) sink.events(events);
  }

  /**
   * Whether there were at least this many malformed lines and nothing of the protocol; an error object counts as of the
   * protocol.
   */
  isStrange(atLeast = 1): boolean {
    return this.#strange >= atLeast && !this.#isUnderstood && !this.failed;
  }
}

/**
 * Reads a stream or a poll to its end. Never throws: a broken connection counts as an end. @param mostStrange gives up
 * after this many strange lines
 */
export async function readFrames(
  body: ReadableStream<Uint8Array> | null,
  framing: Framing,
  sink: FrameSink,
  mostStrange = Infinity,
): Promise<BodyEnd> {
  const reader = body?.getReader();
  const reading = new Reading();
  for (;;) {
    const chunk = reader ? await reader.read().catch(() => undefined) : { done: true as const };
    if (!chunk) return { whole: false, isStrange: reading.isStrange() };
    if (chunk.done) return { whole: framing.end().whole && !reading.failed, isStrange: reading.isStrange() };
    if (!reading.isStrange()) sink.heard();
    reading.pass(framing.push(chunk.value), sink);
    if (!reading.isStrange(mostStrange)) continue;
    void reader?.cancel().catch(() => undefined);
    return { whole: false, isStrange: true };
  }
}
