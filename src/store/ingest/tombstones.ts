import type { StoredMessage } from "../../contract";
import type { StorableEvent } from "../../protocol";
import type { Transaction } from "../database";

/** A tombstone outlives the server's copy by this, seconds: servers clean up late, and clocks differ. */
const MARGIN_S = 86_400;

/**
 * Until when the server could still return an event, Unix seconds: a day after its `expires` or, without one, its time.
 * Both clocks count, because the device's decides when a tombstone is removed and may be days ahead.
 *
 * @param receivedAtMs device clock, ms, when the server had it
 */
export function handedOutUntil({ time, expires = time }: StorableEvent, receivedAtMs: number): number {
  const keptS = Math.max(0, expires - time);
  return Math.max(expires, time, Math.ceil(receivedAtMs / 1_000) + keptS) + MARGIN_S;
}

/** Keeps a removed message from coming back. @param agedMs servers' clocks as last heard, as a device's may jump */
export function leaveTombstone(transaction: Transaction<"tombstones">, row: StoredMessage, agedMs: number): void {
  const until = handedOutUntil(row.event, row.receivedAtMs);
  if (until * 1_000 <= agedMs) return;
  transaction.store("tombstones").put({ subId: row.subId, time: row.time, id: row.id, until });
}
