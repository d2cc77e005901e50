import type { StorableEvent } from "../protocol";
import type { Transaction } from "./database";
import type { StoredMessage } from "./schema";

/** A deleted message's trace stays this much longer than the server keeps the message: its clean-up runs late, clocks differ. */
const MARGIN_S = 86_400;

/** Until when the server could still hand an event out, Unix seconds: a day after `expires`; without, after its time. */
export function handedOutUntil(event: StorableEvent): number {
  return Math.max(event.expires ?? 0, event.time) + MARGIN_S;
}

/** Keeps a message that goes from coming back, if the server could still hand it out. */
export function leaveTombstone(transaction: Transaction<"tombstones">, row: StoredMessage, nowMs: number): void {
  const until = handedOutUntil(row.event);
  if (until * 1_000 <= nowMs) return;
  transaction.store("tombstones").put({ subId: row.subId, time: row.time, id: row.id, until });
}
