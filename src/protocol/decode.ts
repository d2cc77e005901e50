import { type ErrorBody, readErrorBody } from "./error-body";
import { as, fields, flag, isJsonObject, list, maybe, number, stringMap, text } from "./guards";
import { isPriority, type ProtocolEvent, type RawAction } from "./message";

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

/** Servers make ids of 12 characters and names of at most 64; longer ones would only make keys expensive. */
const MAX_ID_LENGTH = 256;

/**
 * Whether a value can be an id, or the name of a sequence or topic: `encodeURIComponent` throws on a lone surrogate.
 */
export const isId = as<string>(
  (value) => text(value) && value !== "" && value.length <= MAX_ID_LENGTH && !/\p{Surrogate}/u.test(value),
);

/** The last second of the year 9999; a later one isn't a time but an attempt to break the display. */
export const LATEST_TIME_S = 253_402_300_799;

/** Times are parts of keys, so they must be exact. */
export const isTime = as<number>(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LATEST_TIME_S,
);

const EVENT = { id: isId, time: isTime, topic: isId };
/** Its `topic` is the list from the URL, which may be of any length. */
const OF_STREAM = fields({ ...EVENT, topic: text });
const SEQUENCE_STEP = fields({ ...EVENT, sequence_id: isId, expires: maybe(number) });

const KNOWN_ACTION = fields({
  id: maybe(text),
  label: maybe(text),
  clear: maybe(flag),
  url: maybe(text),
  method: maybe(text),
  headers: maybe(stringMap),
  body: maybe(text),
  intent: maybe(text),
  extras: maybe(stringMap),
  value: maybe(text),
});

/** All that is checked of an action of an unknown kind; `knownActions` checks what a button needs. */
const action = as<RawAction>(
  (value) =>
    isJsonObject(value) &&
    text(value["action"]) &&
    (!["view", "http", "broadcast", "copy"].includes(value["action"]) || KNOWN_ACTION(value)),
);

/** Types of the fields of each kind of event (docs/protocol.md §6 and 17). Other fields are kept unchecked. */
const EVENTS: Readonly<Record<ProtocolEvent["event"], (value: unknown) => boolean>> = {
  open: OF_STREAM,
  keepalive: OF_STREAM,
  poll_request: fields({ ...EVENT, message: maybe(text), poll_id: maybe(isId) }),
  message_delete: SEQUENCE_STEP,
  message_clear: SEQUENCE_STEP,
  message: fields({
    ...EVENT,
    message: text,
    expires: maybe(number),
    title: maybe(text),
    tags: maybe(list(text)),
    priority: maybe(isPriority),
    click: maybe(text),
    icon: maybe(text),
    attachment: maybe(
      fields({ name: text, url: text, type: maybe(text), size: maybe(number), expires: maybe(number) }),
    ),
    content_type: maybe(text),
    encoding: maybe(text),
    sequence_id: as<string | undefined>((value) => value === undefined || value === "" || isId(value)),
    actions: maybe(list(action)),
  }),
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
