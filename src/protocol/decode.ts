import { type ErrorBody, readErrorBody } from "./error-body";
import { fields, isJsonObject, text } from "./guards";
import { MESSAGE, POLL_REQUEST, type ProtocolEvent, SEQUENCE_STEP, SIGNAL } from "./message";

/** What a stream of events carries. */
export type Frame =
  | { kind: "event"; event: ProtocolEvent }
  /** An event of a newer server, to be skipped silently. */
  | { kind: "unknown" }
  /** A line or server-sent event that was skipped and is counted. */
  | { kind: "malformed" }
  /** An error of the server, after which the stream ends (docs/protocol.md §7). */
  | { kind: "error"; body: ErrorBody }
  /** An empty line or comment, which only shows that the stream is alive. */
  | { kind: "blank" };

export const MALFORMED = { kind: "malformed" } as const;

/** Real messages nest three levels deep. Deeper ones could overflow the stack when they are cloned. */
const MAX_DEPTH = 32;

/** The events, by kind (docs/protocol.md §6 and 17). Fields that aren't listed are kept unchecked. */
const EVENTS: Readonly<Record<ProtocolEvent["event"], (value: unknown) => boolean>> = {
  open: fields(SIGNAL),
  keepalive: fields(SIGNAL),
  poll_request: fields(POLL_REQUEST),
  message_delete: fields(SEQUENCE_STEP),
  message_clear: fields(SEQUENCE_STEP),
  message: fields(MESSAGE),
};

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const entry of Object.values(value)) if (isDeeperThan(entry, levels - 1)) return true;
  return false;
}

/** The frame in a parsed value (docs/protocol.md §6 and 17). An event is the object itself, with unknown fields. */
function frameIn(value: unknown): Frame {
  if (!isJsonObject(value)) return MALFORMED;
  const kind = value["event"];
  const body = kind === undefined ? readErrorBody(value) : undefined;
  if (body) return { kind: "error", body };
  if (text(kind) && !Object.hasOwn(EVENTS, kind)) return { kind: "unknown" };
  const isEvent = text(kind) && EVENTS[kind as ProtocolEvent["event"]](value) && !isDeeperThan(value, MAX_DEPTH);
  return isEvent ? { kind: "event", event: value as unknown as ProtocolEvent } : MALFORMED;
}

/** A value that is an event; undefined if it is anything else. */
export function decodeEvent(value: unknown): ProtocolEvent | undefined {
  const frame = frameIn(value);
  return frame.kind === "event" ? frame.event : undefined;
}

/** Reads one line of JSON, or the data of one server-sent event (docs/protocol.md §7). `null`: it was too long. */
export function decodeLine(line: string | null): Frame {
  if (line === "") return { kind: "blank" };
  try {
    return line === null ? MALFORMED : frameIn(JSON.parse(line));
  } catch {
    return MALFORMED;
  }
}
