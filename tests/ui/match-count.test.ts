import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CountQuery } from "../../src/client";
import { belongsTo, type HubEvent, newestFirst, type StoredMessage } from "../../src/contract";
import { MatchCount, type CountPart } from "../../src/ui/feed/filter/match-count.svelte";
import { rowFilter } from "../contract/filter/row-filter";
import { row } from "./fake-reader";

const scope = { list: "feed" as const, filter: rowFilter("is:unread") };

/** Counts an array in reads of a limited number of rows, each of which is answered when the test says so. */
class FakeCounts {
  calls = 0;
  #waiting: (() => void)[] = [];

  constructor(
    public stored: StoredMessage[],
    readonly atOnce = 3,
  ) {}

  count: CountPart = async ({ from }: CountQuery) => {
    this.calls++;
    const ahead = this.stored.filter((one) => !from || newestFirst(one, from) > 0).sort(newestFirst);
    const part = ahead.slice(0, this.atOnce);
    const last = part.at(-1);
    const found = part.filter(belongsTo(scope, 0)).length;
    await new Promise<void>((answer) => this.#waiting.push(answer));
    return last && ahead.length > part.length ? { found, next: { time: last.time, arrival: last.arrival } } : { found };
  };

  /** Answers the read that is waiting. */
  async answer(): Promise<void> {
    this.#waiting.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  }

  async answerAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.answer();
  }
}

const rows = (event: Partial<Extract<HubEvent, { kind: "rows" }>>): HubEvent => ({
  ...{ kind: "rows", added: [], changed: [], removed: [], more: 0, counts: [], total: 0, lastArrival: 0 },
  ...event,
});

describe("MatchCount", () => {
  let page: EventTarget & { visibilityState: string };

  beforeEach(() => {
    vi.useFakeTimers();
    page = Object.assign(new EventTarget(), { visibilityState: "visible" });
    vi.stubGlobal("document", page);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("waits while the page is hidden, and counts on as soon as ever once it is seen", async () => {
    const reader = new FakeCounts([row(1)]);
    const count = new MatchCount(reader.count, scope);
    await reader.answerAll();
    await vi.runAllTimersAsync();
    page.visibilityState = "hidden";
    reader.stored.push(row(2));
    count.apply(rows({ added: [row(2)] }));
    await vi.advanceTimersByTimeAsync(3_600_000);
    await reader.answerAll();
    expect([count.found, reader.calls], "hidden for an hour").toEqual([1, 1]);
    page.visibilityState = "visible";
    page.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(0);
    await reader.answerAll();
    expect(count.found).toBe(2);
    reader.stored.push(row(3));
    count.apply(rows({ added: [row(3)] }));
    await vi.advanceTimersByTimeAsync(1_000);
    await reader.answerAll();
    expect(count.found, "a second later").toBe(3);
  });

  it("counts by bounded reads, and knows nothing before the last", async () => {
    const reader = new FakeCounts([1, 2, 3, 4, 5].map((number) => row(number, number === 2 ? { readAtMs: 1 } : {})));
    const count = new MatchCount(reader.count, scope);
    await reader.answer();
    expect(count.found).toBeUndefined();
    await reader.answerAll();
    expect(count.found).toBe(4);
  });

  it("counts anew when a match comes, also during a read, and not for other messages", async () => {
    const reader = new FakeCounts([row(1)]);
    const count = new MatchCount(reader.count, scope);
    count.apply(rows({ added: [row(3, { readAtMs: 1 })] }));
    reader.stored.push(row(2));
    count.apply(rows({ added: [row(2)] }));
    await reader.answerAll();
    await vi.runOnlyPendingTimersAsync();
    await reader.answerAll();
    expect([count.found, reader.calls]).toEqual([2, 2]);
    await vi.runAllTimersAsync();
    count.apply(rows({ added: [row(4, { readAtMs: 1 })] }));
    await vi.runAllTimersAsync();
    expect([count.found, reader.calls]).toEqual([2, 2]);
  });

  it("counts anew once, after a pause, however many marks change", async () => {
    const reader = new FakeCounts([row(1), row(2)]);
    const count = new MatchCount(reader.count, scope);
    await reader.answerAll();
    reader.stored = [row(1), row(2, { readAtMs: 1 })];
    for (let times = 0; times < 20; times++) count.apply(rows({ changed: reader.stored }));
    expect([count.found, reader.calls]).toEqual([2, 1]);
    await vi.runOnlyPendingTimersAsync();
    await reader.answerAll();
    expect([count.found, reader.calls]).toEqual([1, 2]);
  });

  it("counts anew if announcements may be missing", async () => {
    const reader = new FakeCounts([row(1)]);
    const count = new MatchCount(reader.count, scope);
    await reader.answerAll();
    reader.stored.push(row(2));
    count.apply({ kind: "missed" });
    await vi.runOnlyPendingTimersAsync();
    await reader.answerAll();
    expect(count.found).toBe(2);
  });

  it("reads nothing more once it is stopped, or nothing can be read", async () => {
    const reader = new FakeCounts([1, 2, 3, 4, 5].map((number) => row(number)));
    const stopped = new MatchCount(reader.count, scope);
    stopped.stop();
    await reader.answerAll();
    const lost = new MatchCount(() => Promise.resolve(undefined), scope);
    await vi.advanceTimersByTimeAsync(0);
    lost.apply(rows({ changed: [row(1)] }));
    await vi.runAllTimersAsync();
    expect([stopped.found, lost.found, reader.calls]).toEqual([undefined, undefined, 1]);
  });
});
