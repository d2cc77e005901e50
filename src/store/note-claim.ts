import type { MessageKey, StoredMessage } from "../protocol";
import type { Transaction } from "./database";

/** Claimed longer ago than this, seconds, it is no alert any more: whoever comes back is told what is unread. */
const ALERT_WITHIN_S = 300;

/** Nobody offers a claim to his tabs for longer, ms: one held for longer was written by a clock that was wrong. */
export const MAX_CLAIM_HOLD_MS = 60_000;

/** Notes what an ingest transaction has claimed, as part of it. No other claim has the arrival number of its first message, which is claimed once. */
export function noteClaim(transaction: Transaction<"claims">, claimed: readonly StoredMessage[], nowMs: number): void {
  const [first] = claimed;
  if (!first) return;
  const keys = claimed.map(({ subId, time, id }): MessageKey => [subId, time, id]);
  transaction.store("claims").put({ claimId: first.arrival, keys, until: nowMs / 1_000 + ALERT_WITHIN_S });
}
