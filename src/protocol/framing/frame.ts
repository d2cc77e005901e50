import { type DecodeError, decodeLine } from "../decode";
import type { ProtocolEvent, StorableEvent } from "../message";
import { type SplitLine, MAX_LINE_LENGTH, LineSplitter } from "./line-splitter";

/** Why a line or server-sent event was skipped and is counted. After `error-object` the stream ends. */
export type MalformedError = Exclude<DecodeError, { kind: "unknown-event" }> | { kind: "overlong" };

/** What a stream of events carries. */
export type Frame =
  | { kind: "event"; event: ProtocolEvent }
  /** An event of a newer server, to be skipped silently. */
  | { kind: "unknown"; event: string }
  | { kind: "malformed"; error: MalformedError }
  /** An empty line or comment, which only shows that the stream is alive. */
  | { kind: "blank" };

/** How a stream ended. `whole`: after the end of its last line, so nothing is missing. */
export interface FramingEnd {
  whole: boolean;
}

/** An incremental parser: bytes in, frames out, wherever the chunks are cut. It never throws. */
export interface Framing<AnyFrame = Frame> {
  push(chunk: Uint8Array): AnyFrame[];
  end(): FramingEnd;
}

export const OVERLONG: Frame = { kind: "malformed", error: { kind: "overlong" } };

/** The frame in one line of JSON, or in the data of one server-sent event. */
export function frameOfLine(line: SplitLine): Frame {
  if (line === null) return OVERLONG;
  if (line === "") return { kind: "blank" };
  const decoded = decodeLine(line);
  if (decoded.ok) return { kind: "event", event: decoded.value };
  const { error } = decoded;
  return error.kind === "unknown-event" ? { kind: "unknown", event: error.event } : { kind: "malformed", error };
}

/** The frame in one WebSocket text frame: an object, usually with a final line feed (docs/protocol.md §7). */
export function frameOfText(text: string): Frame {
  return text.length > MAX_LINE_LENGTH ? OVERLONG : frameOfLine(text.trim());
}

/** Reads a stream of JSON lines (docs/protocol.md §7). */
export class JsonFraming implements Framing {
  readonly #lines = new LineSplitter();

  push(chunk: Uint8Array): Frame[] {
    return this.#lines.push(chunk).map(frameOfLine);
  }

  end(): FramingEnd {
    return this.#lines.end();
  }
}

/** An object as it is sent: `sequence_id` is left out if equal to `id` (docs/protocol.md §17). */
export function encodeObject(event: ProtocolEvent): string {
  const { sequence_id } = event as Partial<StorableEvent>;
  return JSON.stringify(sequence_id === event.id ? { ...event, sequence_id: undefined } : event);
}

/** One line of a JSON stream (docs/protocol.md §7). */
export function encodeJson(event: ProtocolEvent): string {
  return `${encodeObject(event)}\n`;
}

/** What a raw stream carries: texts, and empty lines for everything that isn't a message (docs/protocol.md §7). */
export type RawFrame =
  { kind: "text"; text: string } | { kind: "blank" } | { kind: "malformed"; error: { kind: "overlong" } };

/**
 * Reads a raw stream: texts without ids, so they can be shown live but not stored (docs/design.md §4, "Transports").
 */
export class RawFraming implements Framing<RawFrame> {
  readonly #lines = new LineSplitter();

  push(chunk: Uint8Array): RawFrame[] {
    return this.#lines.push(chunk).map((line): RawFrame => {
      if (line === null) return { kind: "malformed", error: { kind: "overlong" } };
      return line === "" ? { kind: "blank" } : { kind: "text", text: line };
    });
  }

  end(): FramingEnd {
    return this.#lines.end();
  }
}

/** One line of a raw stream: the text with spaces for its line feeds, or an empty line (docs/protocol.md §7 and 17). */
export function encodeRaw(event: ProtocolEvent): string {
  return event.event === "message" ? `${event.message.replaceAll("\n", " ")}\n` : "\n";
}
