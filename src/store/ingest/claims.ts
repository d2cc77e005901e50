// Alerts that were claimed, kept until a tab has shown them, so that none is lost if a hub dies in between
// (docs/design.md §3).
import { ALERT_WITHIN_MS, asNewest, type MessageKey, type StoredMessage, isUnread, keyOf } from "../../contract";
import { transact, type Database, type Transaction } from "../database";
import type { ClaimRecord } from "../schema";

/** No hub offers a claim to its tabs for longer than this, ms; a longer hold was written by a wrong clock. */
export const MAX_CLAIM_HOLD_MS = 60_000;

/** How many messages that no tab showed are marked in one transaction: about as many as retention removes in one. */
const MARKED_AT_ONCE = 200;

/** Claims that a hub took, joined into one, with those of their messages that are still to be shown. */
export interface TakenClaim {
  claimId: number;
  rows: StoredMessage[];
}

/**
 * Takes all claims that no hub is offering, until `heldUntilMs`. It is one transaction, so of any number of hubs only
 * one gets them. Claims that are too old are left for `endClaims`; those with nothing left to show end.
 *
 * @returns `nextMs`: when another hub's hold on a claim ends if it isn't confirmed, device clock, ms
 */
export function takeClaims(
  database: Database,
  nowMs: number,
  heldUntilMs: number,
): Promise<{ taken?: TakenClaim; nextMs?: number }> {
  return transact(database, ["claims", "messages"], "write", async (transaction) => {
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
    const { claimId } = first;
    const rows = await stillToShow(transaction, keys);
    if (rows.length > 0) store.put({ claimId, keys, until, heldUntilMs });
    else store.delete(claimId);
    return rows.length > 0 ? { ...next, taken: { claimId, rows } } : next;
  });
}

/** Those that are unread, or superseded only within a second whose order is unknown, which silences nothing. */
async function stillToShow(
  transaction: Transaction<"messages">,
  keys: readonly MessageKey[],
): Promise<StoredMessage[]> {
  const messages = transaction.store("messages");
  const rows = (await Promise.all(keys.map((key) => messages.get(key)))).filter((row) => row !== undefined);
  const unsure = await Promise.all(
    rows.map(async (row) => {
      if (row.supersededBy === undefined || row.rank !== undefined) return false;
      return (await messages.getKey(keyOf({ ...row, id: row.supersededBy }))) !== undefined;
    }),
  );
  return rows.filter((row, at) => isUnread(unsure[at] ? asNewest(row) : row));
}

/** Removes a claim that a tab shows. Resolves to whether it was still open. */
export function settleClaim(database: Database, claimId: number): Promise<boolean> {
  return transact(database, ["claims"], "write", async (transaction) => {
    const store = transaction.store("claims");
    const isOpen = (await store.getKey(claimId)) !== undefined;
    if (isOpen) store.delete(claimId);
    return isOpen;
  });
}

/** Those messages that are still unread. */
export function unreadAmong(database: Database, keys: readonly MessageKey[]): Promise<StoredMessage[]> {
  return transact(database, ["messages"], "read", async (transaction) => {
    const store = transaction.store("messages");
    const rows = await Promise.all(keys.map((key) => store.get(key)));
    return rows.filter((row) => row !== undefined && isUnread(row)) as StoredMessage[];
  });
}

/**
 * Removes claims that nobody confirmed in time, and records this with their messages. A hub that took a claim at the
 * last second may offer it for `MAX_CLAIM_HOLD_MS`, so that is added.
 *
 * @returns when to look again, device clock, ms; undefined = no claim is left
 */
export function endClaims(database: Database, nowMs: number): Promise<number | undefined> {
  return transact(database, ["claims", "messages"], "write", async (transaction) => {
    const claims = transaction.store("claims");
    const messages = transaction.store("messages");
    const latest = (nowMs + ALERT_WITHIN_MS) / 1_000;
    const ahead = await claims.index("until").getAll(IDBKeyRange.lowerBound(latest, true));
    // The clock was ahead.
    for (const claim of ahead) claims.put({ ...claim, until: latest });
    const ended = IDBKeyRange.upperBound((nowMs - MAX_CLAIM_HOLD_MS) / 1_000);
    const late = await claims.index("until").getAll(ended, MARKED_AT_ONCE);
    const unshown: MessageKey[] = [];
    for (const claim of late) {
      const keys = claim.keys.slice(0, MARKED_AT_ONCE - unshown.length);
      unshown.push(...keys);
      if (keys.length === claim.keys.length) claims.delete(claim.claimId);
      else claims.put({ ...claim, keys: claim.keys.slice(keys.length) });
    }
    for (const row of await Promise.all(unshown.map((key) => messages.get(key)))) {
      if (row) messages.put({ ...row, noAlert: "unshown" });
    }
    const [next] = await claims.index("until").getAll(undefined, 1);
    return next && next.until * 1_000 + MAX_CLAIM_HOLD_MS;
  });
}
