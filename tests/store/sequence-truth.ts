// The simplest possible model of a sequence: its versions after events whose order is known.
import type { StorableEvent } from "../../src/protocol";

/** A version that no delete took away. */
export interface KeptVersion {
  id: string;
  isRead: boolean;
}

/** The versions that are left after these events, the newest last. */
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
 * Every order that some events may have had, given the orders that are known.
 * @param told orders that are known: of each, those of one second come in this order
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
