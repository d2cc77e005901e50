// Alerts that were claimed, until a tab has shown them: a hub that dies in between takes none along
// (docs/design.md §3).
import { type MessageKey, type StoredMessage, isUnread } from "../protocol";
import { transact, type Database } from "./database";
import { MAX_CLAIM_HOLD_MS } from "./note-claim";
import type { ClaimRecord } from "./schema";

/** Claims that a hub took, as one. */
export interface TakenClaim {
  claimId: number;
  keys: MessageKey[];
}

/**
 * Takes all claims that nobody offers to his tabs, until a moment: in one transaction, so that of any number of hubs
 * one has them. Those that have become too old stay behind for retention.
 *
 * @returns `next`: when another hub's claim ends if it is not confirmed, device clock, ms
 */
export function takeClaims(
  database: Database,
  nowMs: number,
  heldUntilMs: number,
): Promise<{ taken?: TakenClaim; nextMs?: number }> {
  return transact(database, ["claims"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("claims");
    const all = await store.index("until").getAll(IDBKeyRange.lowerBound(nowMs / 1_000));
    const isHeld = ({ heldUntilMs: ms = 0 }: ClaimRecord) => ms > nowMs && ms <= nowMs + MAX_CLAIM_HOLD_MS;
    const [first, ...others] = all.filter((claim) => !isHeld(claim));
    const ends = all.filter(isHeld).map((claim) => claim.heldUntilMs ?? 0);
    const next = ends.length > 0 ? { nextMs: Math.min(...ends) } : {};
    if (!first) return next;
    for (const { claimId } of others) store.delete(claimId);
    const keys = [first, ...others].flatMap((claim) => claim.keys);
    const until = Math.max(...[first, ...others].map((claim) => claim.until));
    store.put({ claimId: first.claimId, keys, until, heldUntilMs });
    return { ...next, taken: { claimId: first.claimId, keys } };
  });
}

/** A claim was answered: a tab shows it, or nothing of it is left to show. Whether it was still open. */
export function settleClaim(database: Database, claimId: number): Promise<boolean> {
  return transact(database, ["claims"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("claims");
    const isOpen = (await store.getKey(claimId)) !== undefined;
    if (isOpen) store.delete(claimId);
    return isOpen;
  });
}

/** Those of some messages that are unread still. */
export function readUnread(database: Database, keys: readonly MessageKey[]): Promise<StoredMessage[]> {
  return transact(database, ["messages"], { mode: "readonly" }, async (transaction) => {
    const store = transaction.store("messages");
    const rows = await Promise.all(keys.map((key) => store.get(key)));
    return rows.filter((row) => row !== undefined && isUnread(row)) as StoredMessage[];
  });
}
