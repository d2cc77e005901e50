import {
  compareAge,
  isCurrent,
  keyOf,
  type MessageKey,
  type NewestSummary,
  plainMarkdown,
  rowKey,
  type StoredMessage,
  type SubscriptionCounts,
  type Changes,
} from "../../contract";
import { isMarkdown, messageText, type StorableEvent } from "../../protocol";
import { readCounters, writeCounters, type Transaction, type TypedStore } from "../database";
import { count, countsOf, dayOf, tallyOf, updateListed } from "../tally";
import { RowSource } from "../read/row-source";
import type { CountRecord, Counters, SubscriptionRecord, TimeSpan } from "../schema";
import { withSpans } from "../search/time-spans";

/** The stores that every change of messages writes to. */
export const WRITER_STORES = ["messages", "subscriptions", "counts", "settings"] as const;

type WriterStore = (typeof WRITER_STORES)[number];

/** How many characters from a message's beginning the list of topics keeps. */
const SUMMARY_LENGTH = 120;

/** How many rows are read at a time while looking for the newest one left. */
const NEWEST_CHUNK = 32;

/** The change in a day's count, and what it was before. */
interface DayChange {
  subId: number;
  day: number;
  by: number;
  before: Promise<CountRecord | undefined>;
}

/** The only way to write messages: counters follow each change in the same transaction, so they are exact. */
export class MessageWriter {
  readonly #messages: TypedStore<"messages">;
  /** For new rows. Snapshots stay: what they show is still there, and the app adds the rows. */
  readonly #newMessages: TypedStore<"messages">;
  readonly #dirty = new Set<number>();
  readonly #days = new Map<string, DayChange>();
  readonly #newestLost = new Set<number>();
  readonly #changed = new Map<string, StoredMessage>();
  readonly #removed: MessageKey[] = [];
  /** Times at which something changed, so that the search index is now wrong. */
  readonly #touched = new Set<number>();

  private constructor(
    private readonly transaction: Transaction<WriterStore>,
    private readonly counters: Counters,
    private readonly subscriptions: Map<number, SubscriptionRecord>,
    private readonly readAhead: ReadonlyMap<string, Promise<CountRecord | undefined>>,
  ) {
    this.#messages = transaction.store("messages");
    this.#newMessages = transaction.unseen("messages");
  }

  /** Opens a writer for the subscriptions named. @param likely days to read ahead, which saves a round trip */
  static async open(
    transaction: Transaction<WriterStore>,
    named: readonly { subId: number }[],
    likely: Iterable<Pick<CountRecord, "subId" | "day">> = [],
  ): Promise<MessageWriter> {
    const store = transaction.store("subscriptions");
    const readAhead = new Map(
      [...likely].map(({ subId, day }) => [dayKey(subId, day), askForDay(transaction, subId, day)]),
    );
    const [counters, ...records] = await Promise.all([
      readCounters(transaction),
      ...[...new Set(named.map(({ subId }) => subId))].map((subId) => store.get(subId)),
    ]);
    const subscriptions = records.filter((record) => record !== undefined);
    return new MessageWriter(
      transaction,
      counters,
      new Map(subscriptions.map((record) => [record.subId, record])),
      readAhead,
    );
  }

  subscription(subId: number): SubscriptionRecord | undefined {
    return this.subscriptions.get(subId);
  }

  /** Changes a subscription's own properties along with its counters. */
  amend(subscription: SubscriptionRecord): void {
    this.#dirty.add(subscription.subId);
  }

  takeArrival(): number {
    return this.counters.nextArrival++;
  }

  /** Skips arrival numbers for later use; returns the first of them. */
  setAsideArrivals(count: number): number {
    const first = this.counters.nextArrival;
    this.counters.nextArrival += count;
    return first;
  }

  insert(row: StoredMessage): void {
    updateListed(row);
    this.#newMessages.put(row);
    this.#count(undefined, row);
  }

  /** Replaces a row; `after` is reported as changed, unless the user deleted it. */
  update(before: StoredMessage, after: StoredMessage): void {
    this.replace(before, after);
    if (after.deletedAtMs === undefined) this.#changed.set(rowKey(after), after);
  }

  /** Replaces a row; the caller reports the change. */
  replace(before: StoredMessage, after: StoredMessage): void {
    updateListed(after);
    this.#messages.put(after);
    this.#count(before, after);
  }

  /** Hides a row until it is restored or purged; it is reported as removed. */
  hide(before: StoredMessage, after: StoredMessage): void {
    this.replace(before, after);
    this.#removed.push(keyOf(before));
  }

  /** Removes a row. A hidden one was already reported as removed. */
  remove(row: StoredMessage): void {
    const key = keyOf(row);
    this.#messages.delete(key);
    this.#count(row, undefined);
    this.#changed.delete(rowKey(row));
    if (row.deletedAtMs === undefined) this.#removed.push(key);
  }

  /** Writes the counters, and resolves to what changed. Nothing may be written through this writer afterwards. */
  async finish(): Promise<Changes> {
    await Promise.all([this.#writeDays(), ...[...this.#newestLost].map((subId) => this.#findNewest(subId))]);
    const subscriptions = this.transaction.unseen("subscriptions");
    const counts: SubscriptionCounts[] = [];
    for (const subId of this.#dirty) {
      const record = this.subscriptions.get(subId);
      if (!record) continue;
      subscriptions.put(record);
      counts.push(countsOf(record));
    }
    const { unindexed } = this.counters;
    if (unindexed) {
      const touched = [...this.#touched].map((time): TimeSpan => [time, time]);
      this.counters.unindexed = withSpans(unindexed, touched);
    }
    writeCounters(this.transaction, this.counters);
    const { total, nextArrival } = this.counters;
    return {
      changed: [...this.#changed.values()],
      removed: this.#removed,
      counts,
      total,
      lastArrival: nextArrival - 1,
    };
  }

  #count(before: StoredMessage | undefined, after: StoredMessage | undefined): void {
    const row = after ?? before;
    if (!row) return;
    this.#touched.add(row.time);
    const was = tallyOf(before);
    const is = tallyOf(after);
    this.counters.total += is.total - was.total;
    if (is.inFeed !== was.inFeed) this.#countDay(row, is.inFeed - was.inFeed);
    const record = this.subscriptions.get(row.subId);
    if (!record) return;
    this.#dirty.add(row.subId);
    count(record, was, is);
    if (after && isCurrent(after)) {
      if (!record.newest || compareAge(after, record.newest) > 0) record.newest = summaryOf(after);
    } else if (record.newest?.id === row.id && record.newest.time === row.time) {
      this.#newestLost.add(row.subId);
    }
  }

  #countDay(row: StoredMessage, by: number): void {
    const { subId } = row;
    const day = dayOf(row.time);
    const key = dayKey(subId, day);
    const known = this.#days.get(key);
    if (known) {
      known.by += by;
      return;
    }
    // This read starts now: at the end it would wait behind every write of the batch.
    const before = this.readAhead.get(key) ?? askForDay(this.transaction, subId, day);
    this.#days.set(key, { subId, day, by, before });
  }

  async #writeDays(): Promise<void> {
    const store = this.transaction.store("counts");
    const writes = [...this.#days.values()].map(async ({ subId, day, by, before }) => {
      const count = ((await before)?.count ?? 0) + by;
      if (count > 0) store.put({ subId, day, count });
      else store.delete([subId, day]);
    });
    await Promise.all(writes);
  }

  async #findNewest(subId: number): Promise<void> {
    const record = this.subscriptions.get(subId);
    if (!record) return;
    delete record.newest;
    const source = new RowSource(this.transaction, { subId }, "older");
    for (let rows = await source.next(NEWEST_CHUNK); rows.length > 0; rows = await source.next(NEWEST_CHUNK)) {
      const newest = rows.find(isCurrent);
      if (!newest) continue;
      record.newest = summaryOf(newest);
      return;
    }
  }
}

function dayKey(subId: number, day: number): string {
  return `${subId}/${day}`;
}

function askForDay(transaction: Transaction<"counts">, subId: number, day: number): Promise<CountRecord | undefined> {
  const count = transaction.store("counts").get([subId, day]);
  // If the transaction ends before this is awaited, that is what gets reported.
  count.catch(() => undefined);
  return count;
}

export function summaryOf({ id, time, arrival, event }: StoredMessage): NewestSummary {
  const content = messageText(event);
  const body = content.kind === "text" ? content.text : "";
  const whole = event.title || (isMarkdown(event) ? plainMarkdown(body) : body);
  // Cut between characters, never between the two code units of one.
  const text = whole.slice(0, SUMMARY_LENGTH).replace(/[\uD800-\uDBFF]$/, "");
  return { id, time, arrival, text, ...(event.priority && { priority: event.priority }) };
}

/** A tombstone outlives the server's copy by this, seconds: servers clean up late, and clocks differ. */
const MARGIN_S = 86_400;

/**
 * Until when the server could still return an event, Unix seconds: a day after its `expires` or, without one, its time.
 * Both clocks count, because the device's decides when a tombstone is removed, and it may be days ahead.
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
