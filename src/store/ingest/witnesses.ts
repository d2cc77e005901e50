import type { StoredMessage } from "../../contract";
import { isCached } from "../../protocol";
import { startingWith, transact, type Database, type Transaction } from "../database";
import type { SubscriptionRecord, GapRecord } from "../schema";

/** How many rows are examined in each direction: those not cached or current can't be witnesses. */
const LOOKED_AT = 16;

/** A server, or another of its cluster, may cache a streamed message this much later, seconds. */
const WRITTEN_WITHIN_S = 30;

/** A message that the server must still have, so that a poll of everything has to bring it. */
export interface Witness {
  subId: number;
  id: string;
  time: number;
  expires: number;
  /**
   * Server time, Unix seconds, since when checks look for it. If there was no room, that may be long after it came; it
   * is now if a newer message was looked for until that expired.
   */
  sinceS: number;
  /** The newest message since the topic was last known to be complete; absent if there is none the server must have. */
  latest?: Pick<Witness, "id" | "time" | "expires">;
}

export interface WitnessQuery {
  subIds: readonly number[];
  /** Device clock, ms. */
  nowMs: number;
  /** What the server's clock shows, Unix seconds. */
  serverNowS: number;
  /** The server must keep a witness at least until this server time, Unix seconds. */
  keptUntilS: number;
}

/**
 * Finds one witness per subscription: the newest message the server had when the topic was last complete, else the
 * oldest since then (or of all, if it never was). Later messages prove nothing, because the server may have lost what
 * it kept before them; but if the newest of all is missing, something was lost. Messages before a recorded loss prove
 * nothing either.
 */
export function readWitnesses(database: Database, query: WitnessQuery): Promise<Witness[]> {
  const names = ["subscriptions", "messages", "gaps"] as const;
  return transact(database, names, "read", async (transaction) => {
    const subscriptions = transaction.store("subscriptions");
    const found = await Promise.all(
      query.subIds.map(async (subId) => {
        const subscription = await subscriptions.get(subId);
        return subscription && readWitness(transaction, subscription, query);
      }),
    );
    return found.filter((witness) => witness !== undefined);
  });
}

async function readWitness(
  transaction: Transaction<"messages" | "gaps">,
  { subId, timeCursor = -Infinity }: SubscriptionRecord,
  query: WitnessQuery,
): Promise<Witness | undefined> {
  const gaps = await transaction.store("gaps").getAll(startingWith(subId));
  const behindS = Math.max(-Infinity, ...gaps.filter(({ forgot }) => forgot).map(({ to }) => to));
  const { serverNowS } = query;
  const upToS = Math.min(timeCursor, serverNowS);
  const sinceS = Math.max(behindS, upToS);
  const messages = transaction.store("messages");
  const isSince = sinceS < serverNowS;
  const [before, latest] = await Promise.all([
    behindS < upToS ? messages.getLast(between(subId, behindS, upToS), LOOKED_AT) : [],
    isSince ? messages.getLast(between(subId, sinceS, serverNowS), LOOKED_AT) : [],
  ]);
  const isOne = (row: StoredMessage): boolean => isWitness(row, query);
  const newest = latest.find(isOne);
  const oldest = async (): Promise<StoredMessage | undefined> => {
    if (latest.length < LOOKED_AT) return latest.findLast(isOne);
    const since = await messages.getAll(between(subId, sinceS, serverNowS), LOOKED_AT);
    return since.find(isOne) ?? newest;
  };
  const row = before.find(isOne) ?? (await oldest());
  if (!row) return undefined;
  const isLatest = newest !== undefined && newest.id !== row.id;
  const at = before.findIndex(({ id }) => id === row.id);
  const newer = before.slice(0, Math.max(0, at));
  // Even if it no longer is one.
  const wasAny = newer.some(({ event, scheduled }) => isCached(event) && !scheduled);
  const lookedForS = wasAny ? serverNowS : serverNowS - ageOf(row, query);
  return { subId, ...keptOf(row), sinceS: lookedForS, ...(isLatest && { latest: keptOf(newest) }) };
}

function keptOf({ id, time, event: { expires = time } }: StoredMessage): Pick<Witness, "id" | "time" | "expires"> {
  return { id, time, expires };
}

/** The range of times after `afterS` and up to `upToS`. */
function between(subId: number, afterS: number, upToS: number): IDBKeyRange {
  return IDBKeyRange.bound([subId, afterS, []], [subId, upToS, []], true);
}

/** Whether the server must have a row. Cancelled scheduled ones may look delivered here, so they don't count. */
function isWitness(row: StoredMessage, query: WitnessQuery): boolean {
  const { expires = -Infinity } = row.event;
  if (!isCached(row.event) || expires < query.keptUntilS) return false;
  // What came from a file proves nothing about its server.
  if (row.via === "import" || row.scheduled || row.supersededBy !== undefined) return false;
  const ageS = ageOf(row, query);
  const wasDue = row.via !== "poll" || query.serverNowS - ageS >= row.time - 1;
  return ageS >= 0 && wasDue;
}

/** For how many seconds the server has certainly had it. */
function ageOf({ via, time, receivedAtMs }: StoredMessage, { nowMs, serverNowS }: WitnessQuery): number {
  const storedS = (nowMs - receivedAtMs) / 1_000;
  // The message's time counts too, because the device's clock may have been set.
  return Math.min(storedS, via === "poll" ? Infinity : serverNowS - time) - WRITTEN_WITHIN_S;
}

/** Adds a gap, a span in which messages may be missing; it is merged with gaps that it touches. */
export function addGap(database: Database, gap: GapRecord): Promise<null> {
  return transact(database, ["gaps"], "write", async (transaction) => {
    const store = transaction.store("gaps");
    const merged = { ...gap };
    for (const known of await store.getAll(startingWith(gap.subId))) {
      if (known.from > merged.to || known.to < merged.from) continue;
      merged.from = Math.min(merged.from, known.from);
      merged.to = Math.max(merged.to, known.to);
      if (known.forgot) merged.forgot = 1;
      if (known.cut) merged.cut = 1;
      store.delete([known.subId, known.from]);
    }
    store.put(merged);
    return null;
  });
}
