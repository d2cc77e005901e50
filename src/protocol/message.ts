/** Priority of a message, 1 (min) to 5 (max); absent means 3 (docs/protocol.md §6). */
export type Priority = 1 | 2 | 3 | 4 | 5;

/** The priority of a message without one (docs/protocol.md §6). */
export const DEFAULT_PRIORITY: Priority = 3;

/** The name that we write for each priority (docs/protocol.md §5); `max` is read as another name for 5. */
export const PRIORITY_NAMES: Readonly<Record<Priority, string>> = {
  1: "min",
  2: "low",
  3: "default",
  4: "high",
  5: "urgent",
};

/** Whether a value from outside is a priority. */
export function isPriority(value: unknown): value is Priority {
  return value === 1 || value === 2 || value === 3 || value === 4 || value === 5;
}

/** Reads a priority's number or name, in any case and with blanks around it (docs/protocol.md §5). */
export function parsePriority(text: string): Priority | undefined {
  const written = text.trim().toLowerCase();
  if (written === "max") return 5;
  return ([1, 2, 3, 4, 5] as const).find((one) => written === String(one) || written === PRIORITY_NAMES[one]);
}

/** An attachment (docs/protocol.md §6). Only uploaded ones carry type, size and expiry. */
export interface Attachment {
  name: string;
  url: string;
  type?: string;
  /** Bytes. */
  size?: number;
  /** After this time, Unix seconds, the URL answers 404. */
  expires?: number;
}

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

/** Fields that every event of a stream carries. In `open` and `keepalive`, `topic` repeats the requested list. */
interface EventBase {
  id: string;
  /** Unix seconds of the server's clock; for a delayed message, its planned delivery. */
  time: number;
  topic: string;
}

/** A message as received, unknown fields included (docs/protocol.md §6). */
export interface MessageEvent extends EventBase {
  event: "message";
  message: string;
  /** Unix seconds; absent for a message that the server doesn't cache, equal to `time` on a server without a cache. */
  expires?: number;
  title?: string;
  tags?: string[];
  priority?: Priority;
  click?: string;
  icon?: string;
  actions?: RawAction[];
  attachment?: Attachment;
  content_type?: string;
  encoding?: string;
  /** Groups the versions of one message; absent means "same as id" (docs/protocol.md §17). */
  sequence_id?: string;
}

/** Removes, or marks read, all earlier versions of a sequence (docs/protocol.md §17). */
export interface SequenceEvent extends EventBase {
  event: "message_delete" | "message_clear";
  sequence_id: string;
  expires?: number;
}

/** The first event of a stream, and the sign of life between messages. It is never cached. */
export interface SignalEvent extends EventBase {
  event: "open" | "keepalive";
}

/** "A message with that id waits on its home server" (docs/protocol.md §6). It is never cached. */
export interface PollRequestEvent extends EventBase {
  event: "poll_request";
  message?: string;
  poll_id?: string;
}

export type StorableEvent = MessageEvent | SequenceEvent;

/** Every event that a stream or poll can carry. */
export type ProtocolEvent = StorableEvent | SignalEvent | PollRequestEvent;
