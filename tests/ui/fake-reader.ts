import type { Page, PageQuery, StoreError } from "../../src/client";
import { belongsTo, compareAge, newestFirst, type StoredMessage } from "../../src/contract";
import { fail, ok, type Result } from "../../src/protocol";

/** A stored message of topic 1, numbered by time and arrival. */
export function row(number: number, more: Partial<StoredMessage> = {}): StoredMessage {
  const { time = number, id = `m${String(number)}` } = more;
  return {
    subId: 1,
    time,
    id,
    event: { id, time, topic: "t", event: "message", message: `text-${String(number)}` },
    via: "stream",
    arrival: number,
    receivedAtMs: number * 1000,
    ...more,
  };
}

/** Rows that one read examines; there are so few that filters make short pages. */
const SCANNED = 40;

/** A reader over an array that gives each answer a moment later. */
export class FakeReader {
  failure: StoreError | undefined;
  #under = 0;

  constructor(public stored: StoredMessage[]) {}

  readonly read = async (query: PageQuery): Promise<Result<Page, StoreError>> => {
    this.#under++;
    const { stored, failure } = this;
    await Promise.resolve();
    this.#under--;
    if (failure) return fail(failure);
    const order = query.direction === "older" ? newestFirst : compareAge;
    const { from, count } = query;
    const ahead = stored.filter((one) => !from || order(one, from) > 0).sort(order);
    const belongs = belongsTo(query, query.nowMs);
    const rows: StoredMessage[] = [];
    let at = 0;
    while (at < ahead.length && at < Math.max(SCANNED, count) && rows.length < count) {
      const one = ahead[at++];
      if (one && belongs(one)) rows.push(one);
    }
    const last = ahead[at - 1];
    return ok(last && at < ahead.length ? { rows, next: { time: last.time, arrival: last.arrival } } : { rows });
  };

  /** Resolves when nothing is being read any more. */
  async idle(): Promise<void> {
    let quiet = 0;
    while (quiet < 5) {
      await Promise.resolve();
      quiet = this.#under === 0 ? quiet + 1 : 0;
    }
  }
}
