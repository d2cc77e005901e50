import { type DecodeError, decodeLine } from "../decode";
import type { ProtocolEvent } from "../message";
import { type SplitLine, MAX_LINE_BYTES } from "./line-splitter";

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
  // This counts characters, of which there are never more than bytes.
  return text.length > MAX_LINE_BYTES ? OVERLONG : frameOfLine(text.trim());
}
