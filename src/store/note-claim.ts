import { ALERT_WITHIN_MS, keyOf, type StoredMessage } from "../contract";
import type { Transaction } from "./database";

/** No hub offers a claim to its tabs for longer than this, ms; one held for longer was written with a wrong clock. */
export const MAX_CLAIM_HOLD_MS = 60_000;

/**
 * Stores what an ingest transaction has claimed, as part of that transaction. The id is the arrival number of the first
 * message: a message is claimed only once, so the id is unique.
 */
export function noteClaim(transaction: Transaction<"claims">, claimed: readonly StoredMessage[], nowMs: number): void {
  const [first] = claimed;
  if (!first) return;
  const keys = claimed.map(keyOf);
  transaction.store("claims").put({ claimId: first.arrival, keys, until: (nowMs + ALERT_WITHIN_MS) / 1_000 });
}
