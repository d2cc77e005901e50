import { isCached, type StoredMessage } from "../protocol";
import { startingWith, transact, type Database, type Transaction } from "./database";
import type { SubscriptionRecord } from "./schema";

/** Rows that are looked at in each direction, of each topic: what is not cached, or not current, can't be a witness. */
const LOOKED_AT = 16;

/** Of a message that came by a stream the server may write down later, seconds: some collect what they write. */
const WRITTEN_WITHIN_S = 30;

/** A message that the server must still have, so that a poll of everything has to bring it. */
export interface Witness {
  subId: number;
  id: string;
  time: number;
  expires: number;
  /** Server time, seconds, since which it is one: where there was no room for it here, that may be long after it came. */
  sinceS: number;
}

/** Of whom witnesses are asked, and when. */
export interface WitnessQuery {
  subIds: readonly number[];
  /** Device clock, ms. */
  nowMs: number;
  /** What the server's clock shows, seconds. */
  serverNowS: number;
  /** Server time, seconds, until which the server has to keep them at least. */
  keptUntilS: number;
}

/**
 * For each subscription the newest message that the server had when the topic was last known to be complete, else the oldest
 * one since, or of all where it never was. What came later does not tell: the server may have lost what it kept before that. Nor does what lies behind a gap
 * that says so already.
 */
export function readWitnesses(database: Database, query: WitnessQuery): Promise<Witness[]> {
  const names = ["subscriptions", "messages", "gaps"] as const;
  return transact(database, names, { mode: "readonly" }, async (transaction) => {
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
  const [before, since] = await Promise.all([
    behindS < upToS ? messages.getLast(between(subId, behindS, upToS), LOOKED_AT) : [],
    sinceS < serverNowS ? messages.getAll(between(subId, sinceS, serverNowS), LOOKED_AT) : [],
  ]);
  const row = [...before, ...since].find((one) => isWitness(one, query));
  if (!row) return undefined;
  const { id, time, event } = row;
  const { expires = time } = event;
  return { subId, id, time, expires, sinceS: serverNowS - ageOf(row, query) };
}

/** Times after one and up to another. */
function between(subId: number, afterS: number, upToS: number): IDBKeyRange {
  return IDBKeyRange.bound([subId, afterS, []], [subId, upToS, []], true);
}

/** What was cancelled before it was delivered is no witness, and may stand here as delivered or superseded. */
function isWitness(row: StoredMessage, query: WitnessQuery): boolean {
  const { expires = -Infinity } = row.event;
  if (!isCached(row.event) || expires < query.keptUntilS) return false;
  if (row.scheduled || row.supersededBy !== undefined) return false;
  const ageS = ageOf(row, query);
  const wasDue = row.via !== "poll" || query.serverNowS - ageS >= row.time - 1;
  return ageS >= 0 && wasDue;
}

/** Seconds since the server had it for certain. */
function ageOf({ via, time, receivedAtMs }: StoredMessage, { nowMs, serverNowS }: WitnessQuery): number {
  const storedS = (nowMs - receivedAtMs) / 1_000;
  // A device's clock that was set says nothing of when it came.
  return via === "poll" ? storedS : Math.min(storedS, serverNowS - time) - WRITTEN_WITHIN_S;
}
