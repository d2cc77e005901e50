import type { Frame, Framing, ProtocolEvent } from "../protocol";

/** What a body carried, chunk by chunk. */
export interface FrameSink {
  /** Bytes came, whatever they were. */
  heard(): void;
  /** In the order in which they came; never empty. */
  events(events: ProtocolEvent[]): void;
  /** So many lines were skipped (DESIGN, section 7). */
  malformed(count: number): void;
}

/**
 * How a body ended. `whole`: closed by the server behind a complete last line, without an error of the server inside
 * (protocol, section 7), so that nothing is missing.
 */
export interface BodyEnd {
  whole: boolean;
}

/** Reads a stream or a poll to its end. Never throws: a cut is an end. */
export async function readFrames(
  body: ReadableStream<Uint8Array> | null,
  framing: Framing,
  sink: FrameSink,
): Promise<BodyEnd> {
  if (!body) return framing.end();
  const reader = body.getReader();
  let failed = false;
  for (;;) {
    const chunk = await reader.read().catch(() => undefined);
    if (!chunk) return { whole: false };
    if (chunk.done) return { whole: framing.end().whole && !failed };
    sink.heard();
    if (passFrames(framing.push(chunk.value), sink)) failed = true;
  }
}

/** Hands on the frames of one chunk; whether the server told of an error of its own. */
export function passFrames(frames: Frame[], sink: FrameSink): boolean {
  const events: ProtocolEvent[] = [];
  let malformed = 0;
  let failed = false;
  for (const frame of frames) {
    if (frame.kind === "event") events.push(frame.event);
    if (frame.kind !== "malformed") continue;
    malformed += 1;
    failed ||= frame.error.kind === "error-object";
  }
  if (malformed > 0) sink.malformed(malformed);
  if (events.length > 0) sink.events(events);
  return failed;
}
