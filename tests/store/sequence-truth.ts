// The simplest possible model of a sequence: its versions after events whose order is known.
import type { StorableEvent } from "../../src/protocol";

/** A version that no delete removed. */
export interface KeptVersion {
  id: string;
  isRead: boolean;
}

/** The versions that remain after these events, the newest last. */
export function inOrder(events: readonly StorableEvent[]): KeptVersion[] {
  let versions: KeptVersion[] = [];
  for (const { event, id } of events) {
    if (event === "message") versions.push({ id, isRead: false });
    else if (event === "message_delete") versions = [];
    else versions = versions.map((version) => ({ ...version, isRead: true }));
  }
  return versions;
}

/**
 * Every order in which these events may have happened.
 * @param told known orders: the events of one list that share a second happened in the order of the list
 */
export function* possibleOrders(
  events: readonly StorableEvent[],
  told: readonly (readonly StorableEvent[])[],
): Generator<StorableEvent[]> {
  if (events.length === 0) yield [];
  for (const first of events) {
    const rest = events.filter((event) => event !== first);
    if (rest.some((event) => event.time < first.time)) continue;
    const isLater = told.some((order) => {
      const at = order.indexOf(first);
      return order.slice(0, Math.max(at, 0)).some((event) => event.time === first.time && rest.includes(event));
    });
    if (!isLater) for (const order of possibleOrders(rest, told)) yield [first, ...order];
  }
}
