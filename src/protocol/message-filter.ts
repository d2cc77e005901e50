import { priorityOf } from "./event";
import { parsePriority, type Priority, type ProtocolEvent } from "./message";

/** The filters of a subscription, prepared for comparing (docs/protocol.md §5). Texts are in lower case. */
export interface MessageFilter {
  id?: string;
  message?: string;
  title?: string;
  /** The message must have one of these. */
  priorities?: Priority[];
  /** The message must have all of these. */
  tags?: string[];
}

/**
 * Reads the filters (docs/protocol.md §5); undefined if a priority is none. Tags aren't trimmed.
 * @param read the value in query or headers; empty counts as absent
 */
export function parseMessageFilter(
  read: (name: "id" | "message" | "title" | "priority" | "tags") => string | undefined,
): MessageFilter | undefined {
  const filter: MessageFilter = {};
  for (const name of ["id", "message", "title"] as const) {
    const value = read(name);
    if (value) filter[name] = value.toLowerCase();
  }
  const tags = (read("tags") ?? "").split(",").filter((tag) => tag !== "");
  // Duplicates are removed, as a filter is compared with every message.
  if (tags.length > 0) filter.tags = [...new Set(tags.map((tag) => tag.toLowerCase()))];
  const priorities = new Set<Priority>();
  for (const entry of (read("priority") ?? "").split(",")) {
    if (entry.trim() === "") continue;
    const priority = parsePriority(entry);
    if (priority === undefined) return undefined;
    priorities.add(priority);
  }
  if (priorities.size > 0) filter.priorities = [...priorities];
  return filter;
}

/**
 * Whether the subscriber gets the event (docs/protocol.md §5). All filters must match; text is compared ignoring case
 * (§18, C1). Signals and poll requests always pass; deletes and clears count as messages without the fields they lack.
 */
export function passesFilter(filter: MessageFilter, event: ProtocolEvent): boolean {
  if (event.event === "open" || event.event === "keepalive" || event.event === "poll_request") return true;
  const { id, message, title, priorities, tags } = filter;
  const fields = event.event === "message" ? event : undefined;
  if (id !== undefined && event.id.toLowerCase() !== id) return false;
  if (message !== undefined && fields?.message.toLowerCase() !== message) return false;
  if (title !== undefined && fields?.title?.toLowerCase() !== title) return false;
  if (priorities && !priorities.includes(priorityOf(fields ?? {}))) return false;
  if (!tags) return true;
  const own = new Set(fields?.tags?.map((tag) => tag.toLowerCase()));
  return tags.every((tag) => own.has(tag));
}
