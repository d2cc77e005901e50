// Protocol, section 4: what a replay selects, against a plain model of its table.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageEvent, Since } from "../../src/protocol";
import { MessageCache, type CachedMessage } from "../../src/server/message-cache";

interface Row {
  row: number;
  event: MessageEvent;
  delivered: boolean;
}

/** The table of the protocol, word by word. */
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

const idsOf = (pieces: Iterable<CachedMessage[]>) => [...pieces].flat().map(({ event }) => event.id);

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
  it("selects just what the protocol's table says", () => {
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
          cache.add({ event, delivered: delayS === 0, sender: "" });
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
        const merged = [...cache.select(["a", "b"], since, scheduled)].flat().map(({ event }) => event.time);
        expect(merged).toEqual([...merged].sort((a, b) => a - b));
      }),
    );
  });
});
