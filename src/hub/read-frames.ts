import type { Frame, Framing, ProtocolEvent } from "../protocol";

/** What a body carried, chunk by chunk. */
export interface FrameSink {
  /** Bytes came, whatever they were, unless all before them was strange. */
  heard(): void;
  /** In the order in which they came; never empty. */
  events(events: ProtocolEvent[]): void;
  /** So many lines were skipped (docs/design.md §7). */
  malformed(count: number): void;
}

/** How a body ended. */
export interface BodyEnd {
  /**
   * Closed by the server behind a complete last line, without an error of the server inside (docs/protocol.md §7), so
   * that nothing is missing.
   */
  whole: boolean;
  /** There were lines, and none of them was one of the protocol. */
  isStrange: boolean;
}

/**
 * A stream begins with `open`, or with a message: behind so many lines of something else nothing of ours is to come.
 * Some more than one, as what is broken on the way is skipped (docs/design.md §7).
 */
export const MOST_STRANGE_LINES = 10;

/** What was made of the lines so far. */
export class Reading {
  /** The server told of an error of its own. */
  failed = false;
  #isUnderstood = false;
  #strange = 0;

  /** Hands on the frames of one chunk. */
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

  /** At least so many lines, and none of them is of the protocol: an error object is. */
  isStrange(atLeast = 1): boolean {
    return this.#strange >= atLeast && !this.#isUnderstood && !this.failed;
  }
}

/**
 * Reads a stream or a poll to its end. Never throws: a cut is an end. @param mostStrange gives up after so many strange
 * lines
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
