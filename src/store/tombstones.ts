import type { StorableEvent, StoredMessage } from "../protocol";
import type { Transaction } from "./database";

/** A deleted message's trace stays this much longer than the server keeps the message: its clean-up runs late, clocks differ. */
const MARGIN_S = 86_400;

/**
 * Until when the server could still hand an event out, Unix seconds: a day after `expires`; without, after its time. By
 * both clocks, as the device's decides when a trace goes, and may be days ahead of the server's.
 * @param receivedAtMs device clock, ms, when the server had it
 */
export function handedOutUntil({ time, expires = time }: StorableEvent, receivedAtMs: number): number {
  const keptS = Math.max(0, expires - time);
  return Math.max(expires, time, Math.ceil(receivedAtMs / 1_000) + keptS) + MARGIN_S;
}

/** Keeps a message that goes from coming back, if the server could still hand it out. */
export function leaveTombstone(transaction: Transaction<"tombstones">, row: StoredMessage, nowMs: number): void {
  const until = handedOutUntil(row.event, row.receivedAtMs);
  if (until * 1_000 <= nowMs) return;
  transaction.store("tombstones").put({ subId: row.subId, time: row.time, id: row.id, until });
}
