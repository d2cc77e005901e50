import { decodeLine } from "../decode";
import type { ErrorBody } from "../error-body";
import type { ProtocolEvent, StorableEvent } from "../message";
import { type SplitLine, MAX_LINE_LENGTH, LineSplitter } from "./line-splitter";

/** What a stream of events carries. */
export type Frame =
  | { kind: "event"; event: ProtocolEvent }
  /** An event of a newer server, to be skipped silently. */
  | { kind: "unknown" }
  /** A line or server-sent event that was skipped and is counted. */
  | { kind: "malformed" }
  /** An error of the server, after which the stream ends. */
  | { kind: "error"; body: ErrorBody }
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

export const MALFORMED = { kind: "malformed" } as const;

/** The frame in one line of JSON, or in the data of one server-sent event. */
export function frameOfLine(line: SplitLine): Frame {
  if (line === null) return MALFORMED;
  if (line === "") return { kind: "blank" };
  const decoded = decodeLine(line);
  if (decoded.ok) return { kind: "event", event: decoded.value };
  switch (decoded.error.kind) {
    case "malformed":
      return MALFORMED;
    case "unknown-event":
      return { kind: "unknown" };
    case "error-object":
      return { kind: "error", body: decoded.error.body };
  }
}

/** The frame in one WebSocket text frame: an object, usually with a final line feed (docs/protocol.md §7). */
export function frameOfText(text: string): Frame {
  return text.length > MAX_LINE_LENGTH ? MALFORMED : frameOfLine(text.trim());
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
export type RawFrame = { kind: "text"; text: string } | { kind: "blank" | "malformed" };

/** Reads a raw stream: texts without ids, which are never stored (docs/design.md §4, "Transports"). */
export class RawFraming implements Framing<RawFrame> {
  readonly #lines = new LineSplitter();

  push(chunk: Uint8Array): RawFrame[] {
    return this.#lines.push(chunk).map((line): RawFrame => {
      if (line === null) return MALFORMED;
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
