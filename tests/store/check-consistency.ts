import type { StoredMessage } from "../../src/contract";
import type { StoreNames } from "idb";
import { expect } from "vitest";
import type {
  Counters,
  EarshotSchema,
  SegmentRecord,
  SegmentTextRecord,
  SignatureRecord,
  SubscriptionRecord,
  TimeSpan,
} from "../../src/store";
import { makeSegments } from "../../src/store/search/make-segments";
import { signatureOf } from "../../src/store/search/signature";
import type { Engine } from "./samples";

/** Everything in the database, read without the store. */
export interface Snapshot {
  messages: StoredMessage[];
  subscriptions: SubscriptionRecord[];
  counts: { subId: number; day: number; count: number }[];
  tombstones: { subId: number; time: number; id: string; until: number }[];
  sequences: { subId: number; sequence: string; until: number }[];
  segments: SegmentRecord[];
  segmentTexts: SegmentTextRecord[];
  signatures: SignatureRecord[];
  total: number;
  /** Spans of time for which the segments are not valid. */
  unindexed: TimeSpan[];
}

/** Reads the whole database without the store. */
export async function snapshot({ indexedDB }: Engine, name = "earshot"): Promise<Snapshot> {
  const database = await settle(indexedDB.open(name));
  const names = ["messages", "subscriptions", "counts", "tombstones", "sequences"] as const;
  const segmentStores = ["segments", "segmentTexts", "signatures"] as const;
  const transaction = database.transaction([...names, ...segmentStores, "settings"]);
  const [messages, subscriptions, counts, tombstones, sequences, segments, segmentTexts, signatures] =
    await Promise.all([...names, ...segmentStores].map((store) => settle(transaction.objectStore(store).getAll())));
  const counters = await settle(transaction.objectStore("settings").get("counters"));
  database.close();
  // Version 1 had no segments, so without a record nothing is indexed.
  const { total, ...index } = (counters ?? { total: 0, unindexed: [] }) as Counters;
  const { unindexed = [[0, Infinity]] } = index;
  const rows = { messages, subscriptions, counts, tombstones, sequences };
  return { ...rows, segments, segmentTexts, signatures, total, unindexed } as Snapshot;
}

/** All records of a store of the newest version, read without the store's code. */
export async function recordsIn<Name extends StoreNames<EarshotSchema>>(
  { indexedDB }: Engine,
  name: Name,
): Promise<EarshotSchema[Name]["value"][]> {
  const database = await settle(indexedDB.open("earshot"));
  const records = await settle(database.transaction(name).objectStore(name).getAll());
  database.close();
  return records as EarshotSchema[Name]["value"][];
}

/**
 * Computes every counter from the rows, and expects the stored counters to be equal.
 * @param isMigrated the messages come from an earlier version, which noted no reasons for missing alerts, and updates only later
 */
export async function checkConsistency(engine: Engine, { isMigrated = false } = {}): Promise<Snapshot> {
  const all = await snapshot(engine);
  const { messages, subscriptions, counts, total } = all;
  const kept = messages.filter((row) => row.deletedAtMs === undefined);
  expect(total, "messages stored in all").toBe(kept.length);

  const ids = messages.map((row) => `${row.subId}/${row.id}`);
  expect(new Set(ids).size, "each message once").toBe(ids.length);
  const arrivals = messages.map((row) => row.arrival);
  expect(new Set(arrivals).size, "each arrival number once").toBe(arrivals.length);

  const inFeed = (row: StoredMessage) =>
    !row.scheduled && !row.supersededBy && row.doneAtMs === undefined && row.snoozedUntilMs === undefined;
  for (const subscription of subscriptions) {
    const rows = kept.filter((row) => row.subId === subscription.subId);
    const unread = rows.filter((row) => inFeed(row) && row.readAtMs === undefined);
    const newest = rows
      .filter((row) => !row.scheduled && !row.supersededBy)
      .sort((a, b) => b.time - a.time || b.arrival - a.arrival)[0];
    expect(
      {
        total: subscription.total,
        unread: subscription.unread,
        unreadUrgent: subscription.unreadUrgent,
        unreadHigh: subscription.unreadHigh,
        starred: subscription.starred,
        scheduled: subscription.scheduled,
        snoozed: subscription.snoozed,
        inFeed: subscription.inFeed,
        newest: subscription.newest?.id,
      },
      `counters of ${subscription.topic}`,
    ).toEqual({
      total: rows.length,
      unread: unread.length,
      unreadUrgent: unread.filter((row) => row.event.priority === 5).length,
      unreadHigh: unread.filter((row) => row.event.priority === 4).length,
      starred: rows.filter((row) => row.starred && !row.scheduled && !row.supersededBy).length,
      scheduled: rows.filter((row) => row.scheduled).length,
      snoozed: rows.filter(
        (row) => row.snoozedUntilMs !== undefined && row.doneAtMs === undefined && !row.scheduled && !row.supersededBy,
      ).length,
      inFeed: rows.filter(inFeed).length,
      newest: newest?.id,
    });
  }

  for (const row of messages) {
    const isAsked = !row.scheduled;
    const isClaimed = row.alertedAtMs !== undefined;
    const isRefused = row.noAlert !== undefined && row.noAlert !== "unshown";
    if (!isMigrated) expect(isClaimed !== isRefused, `${row.id} alerts, or it is noted why not`).toBe(isAsked);
    const isOther = (other: StoredMessage) => other.subId === row.subId && other.sequence === row.sequence;
    const hasEarlier = row.sequence !== undefined && messages.some((other) => other.supersededBy && isOther(other));
    if (row.supersededBy) expect(row.updated, `${row.id} is not the newest version`).toBeUndefined();
    else if (hasEarlier && !isMigrated) expect(row.updated, `${row.id} took the place of another`).toBe(1);
  }

  const days = new Map<string, number>();
  for (const row of kept.filter(inFeed)) {
    const day = `${row.subId}/${Math.floor(row.time / 86_400)}`;
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  const stored = new Map(counts.map(({ subId, day, count }) => [`${subId}/${day}`, count]));
  expect(stored, "counts by day").toEqual(days);
  checkSegments(all);
  checkSignatures(all);
  return all;
}

/** Expects that every slot of a valid segment equals one that is newly made from its message. */
function checkSegments({ messages, segments, segmentTexts, unindexed }: Snapshot): void {
  expect(
    segmentTexts.map(({ from }) => from),
    "a text for each segment",
  ).toEqual(segments.map(({ from }) => from));
  const holds = (time: number) => !unindexed.some(([from, to]) => time >= from && time <= to);
  const current = messages
    .filter((row) => !row.scheduled && !row.supersededBy && row.deletedAtMs === undefined && holds(row.time))
    .sort((a, b) => a.time - b.time || a.arrival - b.arrival);
  const indexed = segments.flatMap((segment, at) =>
    [...segment.times.keys()].map((slot) => slotOf(segment, segmentTexts[at], slot)).filter(({ time }) => holds(time)),
  );
  const fresh = current.flatMap((row) => makeSegments([row]).map(({ record, text }) => slotOf(record, text, 0)));
  expect(indexed, "slots of the segments").toEqual(fresh);
  for (const segment of segments) {
    expect([segment.from, segment.to], "span of a segment").toEqual([segment.times.at(0), segment.times.at(-1)]);
  }
}

/** Expects that the blocks hold the signatures of their segments' texts, in order, a few segments in each block. */
function checkSignatures({ segments, segmentTexts, signatures: blocks }: Snapshot): void {
  for (const { from, froms } of blocks) {
    expect(from, "a block's key").toBe(froms[0]);
    expect(froms.length, "segments of a block").toBeLessThanOrEqual(16);
  }
  const signed = blocks.flatMap(({ froms, tos, ends, bits }) =>
    [...froms].map((from, slot) => ({
      from,
      to: tos[slot],
      bits: bits.slice(slot === 0 ? 0 : ends[slot - 1], ends[slot]).join(),
    })),
  );
  const expected = segments.map(({ from, to }, at) => ({
    from,
    to,
    bits: signatureOf(segmentTexts[at]?.text ?? "").join(),
  }));
  expect(signed, "signatures of all segments").toEqual(expected);
}

/** The data of one message in a segment. */
function slotOf(segment: SegmentRecord, text: SegmentTextRecord | undefined, slot: number) {
  const [start, titleEnd, bodyEnd, end] = [-1, 0, 1, 2].map((at) => text?.ends[slot * 3 + at] ?? 0);
  const tags: string[] = [];
  let at = 0;
  for (const tag of segment.tags) {
    const count = segment.tagSlots[at] ?? 0;
    if (segment.tagSlots.slice(at + 1, at + 1 + count).includes(slot)) tags.push(tag);
    at += 1 + count;
  }
  return {
    time: segment.times[slot] ?? 0,
    arrival: segment.arrivals[slot],
    subId: segment.subIds[slot],
    facts: segment.facts[slot],
    tags: tags.sort(),
    id: segment.ids.slice(slot === 0 ? 0 : segment.idEnds[slot - 1], segment.idEnds[slot]),
    title: text?.text.slice(start, titleEnd),
    body: text?.text.slice(titleEnd, bodyEnd),
    rest: text?.text.slice(bodyEnd, end),
  };
}

function settle<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("request failed"));
  });
}
