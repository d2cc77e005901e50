// docs/protocol.md §4: the messages that a replay selects, against a plain model of its table.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageEvent, Since, StorableEvent } from "../../src/protocol";
import { MessageCache } from "../../src/server/message-cache";

interface Row {
  row: number;
  event: MessageEvent;
  delivered: boolean;
}

/** Follows the table of the protocol literally. */
function expected(rows: Row[], topic: string, since: Since, scheduled: boolean): string[] {
  const own = rows.filter(({ event }) => event.topic === topic);
  const marker = since.kind === "id" ? rows.find(({ event }) => event.id === since.id) : undefined;
  const inOrder = (chosen: Row[]) =>
    chosen.sort((a, b) => a.event.time - b.event.time || a.row - b.row).map(({ event }) => event.id);
  if (since.kind === "none") return [];
  if (since.kind === "latest") return inOrder(own.filter(({ delivered }) => delivered)).slice(-1);
  if (marker) {
    const isChosen = ({ row, delivered }: Row) =>
      scheduled ? row > marker.row || !delivered : delivered && row > marker.row;
    return inOrder(own.filter(isChosen));
  }
  const from = since.kind === "time" ? since.time : 0;
  return inOrder(own.filter(({ event, delivered }) => event.time >= from && (scheduled || delivered)));
}

const idsOf = (events: readonly StorableEvent[]) => events.map(({ id }) => id);

const message = fc.record({
  topic: fc.constantFrom("a", "b"),
  delayS: fc.constantFrom(0, 0, 0, 5, 20),
  passedS: fc.nat(8),
});
const sinceOf = (ids: string[], times: number[]): fc.Arbitrary<Since> =>
  fc.oneof(
    fc.constantFrom<Since>({ kind: "none" }, { kind: "all" }, { kind: "latest" }, { kind: "id", id: "unknown" }),
    fc.constantFrom(...ids).map((id): Since => ({ kind: "id", id })),
    fc.constantFrom(...times).map((time): Since => ({ kind: "time", time })),
  );

describe("the cache", () => {
  it("selects exactly what the protocol's table says", () => {
    const history = fc.array(message, { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(history, fc.boolean(), fc.gen(), (submitted, scheduled, gen) => {
        const cache = new MessageCache();
        const rows: Row[] = [];
        let nowS = 1_000;
        for (const { topic, delayS, passedS } of submitted) {
          const event: MessageEvent = {
            id: `m${rows.length}`,
            time: nowS + delayS,
            event: "message",
            topic,
            message: "",
          };
          rows.push({ row: rows.length + 1, event, delivered: delayS === 0 });
          cache.add(cache.number({ event, delivered: delayS === 0, sender: "" }));
          nowS += passedS;
          cache.takeDue(nowS);
          for (const row of rows) row.delivered ||= row.event.time <= nowS;
        }
        const ids = rows.map(({ event }) => event.id);
        const times = rows.map(({ event }) => event.time);
        const since = gen(sinceOf, ids, times);
        for (const topic of ["a", "b", "none"]) {
          const selected = idsOf(cache.select([topic], since, scheduled));
          expect(selected).toEqual(expected(rows, topic, since, scheduled));
        }
        const merged = cache.select(["a", "b"], since, scheduled).map(({ time }) => time);
        expect(merged).toEqual([...merged].sort((a, b) => a - b));
      }),
    );
  });

  it("merges topics by time, those of one second as listed", () => {
    const times = fc.array(fc.nat(5), { maxLength: 300 });
    fc.assert(
      fc.property(times, times, times, (...histories) => {
        const cache = new MessageCache();
        const names = ["a", "b", "c"];
        histories.forEach((history, which) => {
          [...history]
            .sort((x, y) => x - y)
            .forEach((time, at) => {
              const topic = names[which] ?? "";
              const event: MessageEvent = { id: `${topic}${at}`, time, event: "message", topic, message: "" };
              cache.add(cache.number({ event, delivered: true, sender: "" }));
            });
        });
        const listed = ["b", "a", "c", "b"];
        const one = (topic: string) => cache.select([topic], { kind: "all" }, false);
        const wanted = listed.flatMap(one).sort((x, y) => x.time - y.time);
        expect(idsOf(cache.select(listed, { kind: "all" }, false))).toEqual(idsOf(wanted));
      }),
      { numRuns: 30 },
    );
  });

  it("returns the messages at the time of the request, whatever happens while they are read", () => {
    const cache = new MessageCache();
    const add = (id: string, time: number, delivered = true) =>
      cache.add(
        cache.number({ event: { id, time, event: "message", topic: "t", message: "" }, delivered, sender: "" }),
      );
    add("old", 1);
    add("scheduled", 5, false);
    const selected = cache.select(["t"], { kind: "all" }, false);
    add("new", 2);
    cache.takeDue(10);
    cache.removeExpired(10);
    expect(idsOf(selected)).toEqual(["old"]);
  });

  it("stays within its memory by dropping the oldest messages of those who take more than their share", () => {
    const history = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(2_000)), { minLength: 1, maxLength: 80 });
    const messageOf = ([sender, length]: [string, number], at: number) => ({
      event: { id: `m${at}`, time: at, event: "message" as const, topic: "t", message: "x".repeat(length) },
      delivered: true,
      sender,
    });
    const bytesOf = (messages: ReturnType<typeof messageOf>[]) => {
      const cache = new MessageCache();
      for (const message of messages) cache.add(cache.number(message));
      return cache.totalBytes;
    };
    fc.assert(
      fc.property(history, fc.integer({ min: 5_000, max: 60_000 }), (submitted, most) => {
        const messages = submitted.map(messageOf);
        const cache = new MessageCache();
        for (const message of messages) cache.add(cache.number(message));
        const before = cache.totalBytes;
        const gone = cache.keepWithin(most);
        expect(cache.totalBytes).toBeLessThanOrEqual(most);
        if (before <= most) expect(gone).toEqual([]);
        else expect(cache.totalBytes, "no more goes than has to").toBeGreaterThan(0.98 * most - 3 * 2_700);
        const kept = new Set(idsOf(cache.select(["t"], { kind: "all" }, false)));
        const bySender = ["a", "b", "c"].map((sender) => {
          const all = messages.filter((message) => message.sender === sender);
          const left = all.filter(({ event }) => kept.has(event.id));
          expect(left, "the newest are left").toEqual(all.slice(all.length - left.length));
          const longest = Math.max(0, ...all.map((message) => bytesOf([message])));
          return { hasLost: left.length < all.length, left: bytesOf(left), longest };
        });
        for (const cut of bySender.filter(({ hasLost }) => hasLost)) {
          for (const { left } of bySender) expect(left).toBeLessThanOrEqual(cut.left + cut.longest);
        }
      }),
    );
  });
});
