import fc from "fast-check";
import { expect, test } from "vitest";
import type { CountQuery, Matches } from "../../src/client";
import { compileFilter, type Filter, type RowFilter, type RowTerm, type StoredMessage } from "../../src/contract";
import { countFound, waysOut } from "../../src/ui/feed/filter/ways-out";
import { row } from "./fake-reader";

const NOW_MS = 1_000_000;
const tag = (value: string): RowTerm => ({ kind: "tags", values: [value], not: false });
const tagged = (...sets: string[]): StoredMessage[] =>
  sets.map((tags, at) => {
    const one = row(at + 1);
    return { ...one, event: { ...one.event, tags: [...tags], priority: 3 as const } };
  });

/** Counts a few rows in each read, as the store does with many. */
function counter(rows: readonly StoredMessage[], atOnce = 3) {
  const asked: CountQuery[] = [];
  const count = (query: CountQuery): Promise<Matches> => {
    asked.push(query);
    const start = query.from?.time ?? 0;
    const passes = compileFilter(query.filter ?? { terms: [] }, { nowMs: query.nowMs });
    const part = rows.slice(start, start + atOnce);
    const next = start + atOnce < rows.length ? { time: start + atOnce, arrival: 0 } : undefined;
    return Promise.resolve({ found: part.filter(passes).length, upTo: 0, ...(next && { next }) });
  };
  return { count, asked };
}

const feed = (filter: RowFilter) => ({ list: "feed" as const, filter });
const asFeed = (filter: Filter) => feed(filter as RowFilter);
async function ways(rows: StoredMessage[], ...tags: string[]) {
  const filter = { terms: tags.map(tag) };
  const found = await waysOut(counter(rows), asFeed, filter, NOW_MS);
  return found?.map(({ dropped, count }) => [
    dropped.map((term) => ("values" in term ? term.values.join() : "")).join(" "),
    count,
  ]);
}

test("each condition that alone excludes everything can be dropped, the one that excludes most first", async () => {
  expect(await ways(tagged("a", "ab", "ab", "bc"), "a", "b", "c")).toEqual([
    ["c", 2],
    ["a", 1],
  ]);
});

test("if no single one helps, as few conditions as possible are dropped together", async () => {
  expect(await ways(tagged("a", "a", "b", "c"), "a", "b", "c")).toEqual([
    ["b c", 2],
    ["a c", 1],
    ["a b", 1],
  ]);
  expect(await ways(tagged("ab", "a", "ab"), "x", "a", "y", "b"), "two that nothing has").toEqual([["x y", 2]]);
});

test("of a filter with very many conditions none is tried", async () => {
  const { count, asked } = counter([]);
  const terms = Array.from({ length: 4_000 }, (_, at) => tag(String(at)));
  expect(await waysOut({ count }, asFeed, { terms }, NOW_MS)).toBeUndefined();
  expect(asked).toEqual([]);
});

test("if nothing helps there is no way out", async () => {
  expect(await ways(tagged("a"), "x", "y")).toEqual([]);
  expect(await ways([], "x")).toEqual([]);
});

test("conditions of the view itself stay", async () => {
  const urgent: RowTerm = { kind: "priority", values: [5], not: false };
  const filter = { terms: [tag("a"), tag("b")] };
  const queryOf = ({ terms }: Filter) => asFeed({ terms: [urgent, ...terms] });
  expect(await waysOut(counter(tagged("a", "b")), queryOf, filter, NOW_MS)).toEqual([]);
});

test("counting goes on from part to part, and stops when there are many", async () => {
  const many = tagged(...Array.from({ length: 2_500 }, (_, at) => (at < 30 ? "b" : "a")));
  const query = { ...feed({ terms: [tag("b")] }), nowMs: NOW_MS };
  expect(await countFound(counter(many, 100), query)).toEqual({ count: 30, isAll: true });
  const reader = counter(many, 400);
  const all = await countFound(reader, { ...query, filter: { terms: [] } });
  expect([all, reader.asked.length]).toEqual([{ count: 1_200, isAll: false }, 3]);
});

test("every offer finds as many as it says, and drops no condition that could have stayed", async () => {
  const sets = fc.array(
    fc.subarray([..."abcd"]).map((tags) => tags.join("")),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(sets, fc.subarray([..."abcd"], { minLength: 1 }), async (sets, tags) => {
      const found = (kept: readonly string[]) => sets.filter((set) => kept.every((one) => set.includes(one))).length;
      fc.pre(found(tags) === 0);
      const offers = (await ways(tagged(...sets), ...tags)) as [string, number][];
      expect(offers.length > 0).toBe(found([]) > 0 && (tags.length === 1 || tags.some((one) => found([one]) > 0)));
      for (const [dropped, count] of offers) {
        const gone = dropped.split(" ");
        const kept = tags.filter((one) => !gone.includes(one));
        expect(count).toBe(found(kept));
        for (const one of gone) expect(found([...kept, one]), `${tags.join()} without ${dropped}`).toBe(0);
      }
    }),
  );
});
