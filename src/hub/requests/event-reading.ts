import { failureOf, type Failure, type Frame, type ProtocolEvent } from "../../protocol";
import type { FrameTaker, ChunkVerdict } from "./receive-frames";

/** Takes what a stream or a poll carries, chunk by chunk, all the way from its bytes to the one who stores it. */
export interface EventSink<AnyEvent = ProtocolEvent> {
  /** It works. Streams needn't call this, as their first event shows it. */
  opened?(): void;
  /** Any bytes came. Not called while everything so far was strange. */
  heard?(): void;
  /**
   * The events of a chunk, in the order in which they came; never empty.
   * @param isDoubted they may have lain in a buffer while the device slept, so they say nothing about the time
   */
  events?(events: AnyEvent[], isDoubted?: boolean): void;
  /** This many lines were skipped (docs/design.md §7). */
  malformed?(count: number): void;
  /** The server says that it sends only the newest part. */
  truncated?(): void;
}

/**
 * A stream begins with `open` or a message: after this many other lines, nothing of the protocol will come. More than
 * one, because lines broken on the way are skipped (docs/design.md §7).
 */
export const MAX_STRANGE_LINES = 10;

/** The failure when lines of the right type came, but none of them was of the protocol. */
export const NO_EVENTS: Failure = { kind: "malformed", text: "no line is an event" };

/** Takes the events out of one answer's frames, and keeps track of what its lines were. */
export class EventReading implements FrameTaker<Frame> {
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
      if (frame.kind !== "malformed") this.#isUnderstood ||= frame.kind !== "blank";
      else if (frame.error.kind === "error-object") this.failure ??= failureOf(frame.error.body);
      else malformed += 1;
    }
    this.#strange += malformed;
    if (malformed > 0) this.sink.malformed?.(malformed);
    if (events.length > 0) this.sink.events?.(events);
    if (this.isStrange(this.mostStrange)) return "enough";
    return wasStrange ? "strange" : "alive";
  }

  /**
   * Whether there were at least this many malformed lines and nothing of the protocol; an error object counts as of the
   * protocol.
   */
  isStrange(atLeast = 1): boolean {
    return this.#strange >= atLeast && !this.#isUnderstood && !this.failure;
  }
}
