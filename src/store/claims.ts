// Alerts that were claimed, kept until a tab has shown them, so that none is lost if a hub dies in between
// (docs/design.md §3).
import { type MessageKey, type StoredMessage, isUnread } from "../contract";
import { transact, type Database } from "./database";
import { MAX_CLAIM_HOLD_MS } from "./note-claim";
import type { ClaimRecord } from "./schema";

/** Claims that a hub took, joined into one. */
export interface TakenClaim {
  claimId: number;
  keys: MessageKey[];
}

/**
 * Takes all claims that no hub is offering, until `heldUntilMs`. It is one transaction, so of any number of hubs only
 * one gets them. Claims that are too old are left for retention.
 *
 * @returns `nextMs`: when another hub's hold on a claim ends if it isn't confirmed, device clock, ms
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

/** Removes a claim: a tab shows it, or there is nothing left to show. Resolves to whether it was still open. */
export function settleClaim(database: Database, claimId: number): Promise<boolean> {
  return transact(database, ["claims"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("claims");
    const isOpen = (await store.getKey(claimId)) !== undefined;
    if (isOpen) store.delete(claimId);
    return isOpen;
  });
}

/** Those of these messages that are still unread. */
export function readUnread(database: Database, keys: readonly MessageKey[]): Promise<StoredMessage[]> {
  return transact(database, ["messages"], { mode: "readonly" }, async (transaction) => {
    const store = transaction.store("messages");
    const rows = await Promise.all(keys.map((key) => store.get(key)));
    return rows.filter((row) => row !== undefined && isUnread(row)) as StoredMessage[];
  });
}
