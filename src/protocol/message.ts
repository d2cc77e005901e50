import {
  as,
  count,
  fields,
  flag,
  isJsonObject,
  list,
  maybe,
  number,
  only,
  type RecordOf,
  stringMap,
  text,
} from "./guards";

/** Priority of a message, 1 (min) to 5 (max); absent means 3 (docs/protocol.md §6). */
export type Priority = 1 | 2 | 3 | 4 | 5;

/** The name that we write for each priority (docs/protocol.md §5); `max` is read as another name for 5. */
export const PRIORITY_NAMES: Readonly<Record<Priority, string>> = {
  1: "min",
  2: "low",
  3: "default",
  4: "high",
  5: "urgent",
};

export const isPriority = only<Priority>(1, 2, 3, 4, 5);

/** Reads a priority's number or name, in any case and with blanks around it (docs/protocol.md §5). */
export function parsePriority(text: string): Priority | undefined {
  const written = text.trim().toLowerCase();
  if (written === "max") return 5;
  return ([1, 2, 3, 4, 5] as const).find((one) => written === String(one) || written === PRIORITY_NAMES[one]);
}

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
export const isTime = as<number>((value) => count(value) && value <= LATEST_TIME_S);

/** An attachment (docs/protocol.md §6). Only uploaded ones carry type, size and expiry. */
const ATTACHMENT = {
  name: text,
  url: text,
  type: maybe(text),
  /** Bytes. */
  size: maybe(number),
  /** After this time, Unix seconds, the URL answers 404. */
  expires: maybe(number),
};
export interface Attachment extends RecordOf<typeof ATTACHMENT> {}

/** What every action carries. The server sets `id`, which tells buttons apart. */
interface ActionBase {
  id: string;
  label: string;
  /** Dismiss the notification once the action has succeeded. */
  clear?: boolean;
}

/** A button of a message (docs/protocol.md §6). Unknown kinds stay in the raw event. */
export type Action =
  | (ActionBase & { action: "view"; url: string })
  | (ActionBase & { action: "http"; url: string; method?: string; headers?: Record<string, string>; body?: string })
  | (ActionBase & { action: "broadcast"; intent?: string; extras?: Record<string, string> })
  | (ActionBase & { action: "copy"; value: string });

/** A button that sends a request (docs/protocol.md §6). */
export type HttpAction = Extract<Action, { action: "http" }>;

/** An action as received; `knownActions` returns those that this version can show, with their types. */
export interface RawAction {
  action: string;
}

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
const isAction = as<RawAction>(
  (value) =>
    isJsonObject(value) &&
    text(value["action"]) &&
    (!["view", "http", "broadcast", "copy"].includes(value["action"]) || KNOWN_ACTION(value)),
);

/** Fields that every event of a stream carries. */
const EVENT = {
  id: isId,
  /** Unix seconds of the server's clock; for a delayed message, its planned delivery. */
  time: isTime,
  topic: isId,
};

/** A message as received, unknown fields included (docs/protocol.md §6). */
export const MESSAGE = {
  ...EVENT,
  event: only("message"),
  message: text,
  /** Unix seconds; absent for a message that the server doesn't cache, equal to `time` on a server without a cache. */
  expires: maybe(number),
  title: maybe(text),
  tags: maybe(list(text)),
  priority: maybe(isPriority),
  click: maybe(text),
  icon: maybe(text),
  actions: maybe(list(isAction)),
  attachment: maybe(fields(ATTACHMENT)),
  content_type: maybe(text),
  encoding: maybe(text),
  /** Groups the versions of one message; absent means "same as id" (docs/protocol.md §17). */
  sequence_id: as<string | undefined>((value) => value === undefined || value === "" || isId(value)),
};
export interface MessageEvent extends RecordOf<typeof MESSAGE> {}

/** Removes, or marks read, all earlier versions of a sequence (docs/protocol.md §17). */
export const SEQUENCE_STEP = {
  ...EVENT,
  event: only("message_delete", "message_clear"),
  sequence_id: isId,
  expires: maybe(number),
};
export interface SequenceEvent extends RecordOf<typeof SEQUENCE_STEP> {}

/**
 * The first event of a stream, and the sign of life between messages. It is never cached. Its `topic` is the list from
 * the URL, which may be of any length.
 */
export const SIGNAL = { ...EVENT, event: only("open", "keepalive"), topic: text };

/** "A message with that id waits on its home server" (docs/protocol.md §6). It is never cached. */
export const POLL_REQUEST = { ...EVENT, event: only("poll_request"), message: maybe(text), poll_id: maybe(isId) };
export interface PollRequestEvent extends RecordOf<typeof POLL_REQUEST> {}

export type StorableEvent = MessageEvent | SequenceEvent;

/** Every event that a stream or poll can carry. */
export type ProtocolEvent = StorableEvent | RecordOf<typeof SIGNAL> | PollRequestEvent;
