// What can be told from an event alone.
import { decodeBase64 } from "./base64";
import type { Action, MessageEvent, Priority, ProtocolEvent, RawAction, StorableEvent } from "./message";

/** Whether the event is kept: a message, delete or clear (docs/protocol.md §6). */
export function isStorable(event: ProtocolEvent): event is StorableEvent {
  return event.event === "message" || event.event === "message_delete" || event.event === "message_clear";
}

/** The sequence that an event belongs to; absent means "same as id" (docs/protocol.md §17). */
export function sequenceOf(event: StorableEvent): string {
  return event.sequence_id || event.id;
}

/** The priority of an event; absent counts as 3 (docs/protocol.md §6). */
export function priorityOf(event: { priority?: Priority }): Priority {
  return event.priority ?? 3;
}

/** Whether the server keeps the message, so that its id works as a marker (docs/protocol.md §4). */
export function isCached(event: StorableEvent): boolean {
  return event.expires !== undefined && event.expires > event.time;
}

/** A message's content: text, or bytes that aren't text (`sizeBytes` of them). */
export type MessageContent = { kind: "text"; text: string } | { kind: "bytes"; sizeBytes: number };

/** Decodes a message's `encoding` (docs/protocol.md §6). What can't be decoded is shown as received. */
export function messageText(event: MessageEvent): MessageContent {
  const bytes = event.encoding === "base64" ? decodeBase64(event.message) : undefined;
  if (!bytes) return { kind: "text", text: event.message };
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: "bytes", sizeBytes: bytes.length };
  }
}

/** Fields that an action must have, by kind (docs/protocol.md §6). */
const REQUIRED_FIELDS: Readonly<Record<Action["action"], readonly string[]>> = {
  view: ["id", "label", "url"],
  http: ["id", "label", "url"],
  broadcast: ["id", "label"],
  copy: ["id", "label", "value"],
};

function isKnownAction(action: RawAction): action is Action {
  const required = Object.hasOwn(REQUIRED_FIELDS, action.action) && REQUIRED_FIELDS[action.action as Action["action"]];
  return (
    required && required.every((field) => typeof (action as unknown as Record<string, unknown>)[field] === "string")
  );
}

/**
 * The actions this version knows, complete and in order (docs/protocol.md §6); others stay in the raw event. Of several
 * with one id only the first counts: a press names its action by id, and must do what the button showed.
 */
export function knownActions(event: { actions?: RawAction[] }): Action[] {
  const ids = new Set<string>();
  return (event.actions ?? []).filter(isKnownAction).filter(({ id }) => !ids.has(id) && ids.add(id));
}
