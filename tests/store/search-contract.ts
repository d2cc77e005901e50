import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compileFilter,
  type HidingRule,
  type RowFilter,
  type Mark,
  type MessageKey,
  type StoredMessage,
} from "../../src/contract";
import type { MessageEvent } from "../../src/protocol";
import { openStore, type PageQuery, type Store } from "../../src/store";
import { anyRowFilter } from "../contract/filter/arbitrary-filter";
import { rowFilter } from "../contract/filter/row-filter";
import { checkConsistency, snapshot } from "./check-consistency";
import { feedIds, message, must, NOW_MS, NOW_S, receive, storeWith, type Engine } from "./samples";
import { runs } from "../long";

/** Time limit for many runs on a busy machine, ms. */
const LONG_MS = 120_000;

/** So few words that they often follow one another, but not always. */
const LINE = ["of", "the", "disk", "a", "ÄR"];

const WORDS = ["disk", "Disk", "DÏSK", "risk", "äther", "Ather", "ΟΔΟΣ", "οδοσ", "12:30", "a b", "ß", "x\ny", "💾"];
const TAGS = ["warning", "Warning", "a b", "a", "b", "disk", "ΟΔΟΣ", "Ärger of the ÄR"];

const word = fc.constantFrom(...WORDS);
const words = fc.array(word, { maxLength: 4 }).map((each) => each.join(" "));
const line = fc.array(fc.constantFrom(...LINE), { maxLength: 6 }).map((each) => each.join(" "));
const TIMES = 40;

/** A message without its id. There are so few seconds that many messages share one. */
const fields = fc.record(
  {
    time: fc.nat({ max: TIMES }).map((second) => NOW_S - TIMES + second),
    message: fc.oneof(words, line),
    title: fc.oneof(words, line),
    tags: fc.array(fc.constantFrom(...TAGS), { maxLength: 3 }),
    priority: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, 5 as const),
    click: fc.constantFrom("https://example.org/", ""),
    icon: fc.constant("https://example.org/i.png"),
    attachment: word.map((name) => ({ name, url: "https://example.org/f" })),
    encoding: fc.constant("base64"),
  },
  { requiredKeys: ["time", "message"] },
);

/** Filters made of the messages' own words, and any other filters. */
const filter: fc.Arbitrary<RowFilter> = fc.oneof(
  fc
    .array(
      fc.tuple(
        fc.constantFrom("", "-"),
        fc.oneof(
          word.map((text) => JSON.stringify(text)),
          word.map((text) => JSON.stringify(text.slice(1))),
          fc.tuple(line, fc.nat({ max: 2 })).map(([text, cut]) => JSON.stringify(text.slice(cut) || "x")),
          word.map((text) => `title:${JSON.stringify(text)}`),
          words.map((text) => `message=${JSON.stringify(text || "x")}`),
          words.map((text) => `title=${JSON.stringify(text || "x")}`),
          words.map((text) => `title~${JSON.stringify(text.replace("12", "1") || "x")}`),
          word.map((text) => `message:${JSON.stringify(text)}`),
          fc.constantFrom(...TAGS).map((tag) => `tag:${JSON.stringify(tag)},"A"`),
          fc.constantFrom(...TAGS).map((tag) => `tag:${JSON.stringify(tag)}`),
          fc.constantFrom("is:unread", "is:read", "is:starred", "is:done", "is:snoozed", "has:attachment", "has:title"),
          fc.constantFrom("has:click", "has:icon", "priority:4,5", "priority:3", 'id="m1"', 'id="M2"', "m1"),
          fc
            .nat({ max: TIMES })
            .map((second) => `after:${new Date((NOW_S - second) * 1000).toISOString().slice(0, 19)}Z`),
          fc
            .nat({ max: TIMES })
            .map((second) => `before:${new Date((NOW_S - second) * 1000).toISOString().slice(0, 19)}Z`),
        ),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((terms) => rowFilter(terms.map((parts) => parts.join("")).join(" "))),
  anyRowFilter,
);

const mark: fc.Arbitrary<Mark> = fc.oneof(
  fc.record({ kind: fc.constantFrom("read" as const, "done" as const, "starred" as const), on: fc.boolean() }),
  fc.record({ kind: fc.constant("snooze" as const), untilMs: fc.constantFrom(NOW_MS - 1, NOW_MS + 1, null) }),
);

type Step =
  | { do: "receive"; sub: number; events: Omit<MessageEvent, "id" | "event" | "topic">[] }
  | { do: "mark"; picks: number[]; mark: Mark }
  | { do: "delete"; picks: number[] }
  | { do: "segment" | "indexAll" | "remove" };

const picks = fc.array(fc.nat({ max: 200 }), { minLength: 1, maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("receive" as const),
      sub: fc.nat({ max: 1 }),
      events: fc.array(fields, { minLength: 1, maxLength: 30 }),
    }) as fc.Arbitrary<Step>,
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("segment" as const, "indexAll" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("mark" as const), picks, mark }) },
  fc.record({ do: fc.constant("delete" as const), picks }),
  fc.record({ do: fc.constant("remove" as const) }),
);

const hides = ({ subId, filter }: HidingRule, row: StoredMessage): boolean =>
  row.subId === subId && row.event.priority !== 5 && compileFilter(filter, { nowMs: NOW_MS })(row);

/** The expected result of a search: checks every row, read without the store. */
async function bruteForce(engine: Engine, query: Omit<PageQuery, "count">): Promise<string[]> {
  const { messages, subscriptions } = await snapshot(engine);
  const alive = new Set(subscriptions.filter((each) => each.removedAtMs === undefined).map(({ subId }) => subId));
  const asks = (what: string) =>
    query.filter?.terms.some((term) => term.kind === "is" && term.what === what && !term.not);
  const passes = compileFilter(query.filter ?? { terms: [] }, { nowMs: query.nowMs });
  const sign = query.direction === "older" ? -1 : 1;
  const order = (a: StoredMessage, b: StoredMessage) => sign * (a.time - b.time || a.arrival - b.arrival);
  return messages
    .filter((row) => alive.has(row.subId) && (query.subIds?.includes(row.subId) ?? true))
    .filter((row) => row.deletedAtMs === undefined && !row.supersededBy && !row.scheduled)
    .filter((row) =>
      query.list === "done"
        ? row.doneAtMs !== undefined
        : (asks("done") || row.doneAtMs === undefined) && (asks("snoozed") || row.snoozedUntilMs === undefined),
    )
    .filter(passes)
    .filter((row) => !query.hidden?.some((rule) => hides(rule, row)))
    .sort(order)
    .map((row) => `${row.subId}/${row.id}`);
}

async function found(store: Store, query: PageQuery): Promise<string[]> {
  const names: string[] = [];
  for (let from = query.from; ;) {
    const { rows, next } = await store.reader.page({ ...query, ...(from && { from }) });
    names.push(...rows.map((row) => `${row.subId}/${row.id}`));
    if (!next) return names;
    from = next;
  }
}

async function counted(store: Store, query: PageQuery): Promise<number> {
  let sum = 0;
  for (let from = query.from; ;) {
    const { found, next } = await store.reader.count({ ...query, ...(from && { from }) });
    sum += found;
    if (!next) return sum;
    from = next;
  }
}

export function describeSearch(makeEngine: () => Engine): void {
  describe("search", () => {
    test(
      "finds and counts the same as a look at every message, indexed or not, whatever changes meanwhile",
      { timeout: LONG_MS },
      async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.tuple(step, filter, fc.constantFrom("older" as const, "newer" as const)), {
              minLength: 1,
              maxLength: 10,
            }),
            fc.nat({ max: 12 }),
            fc.array(fc.tuple(fc.nat({ max: 1 }), filter), { maxLength: 2 }),
            async (steps, size, rules) => {
              const engine = makeEngine();
              const { store, subIds } = await storeWith(engine, ["backups", "doors"]);
              const run = new Run(store, engine, subIds);
              const hidden = rules.map(([at, filter]) => ({ subId: subIds[at] ?? 0, filter }));
              for (const [one, wanted, direction] of steps) {
                await run.take(one);
                await checkConsistency(engine);
                for (const list of ["feed", "done"] as const) {
                  for (const filter of [wanted, { terms: [] }]) {
                    const query: PageQuery = { list, filter, hidden, direction, count: size + 1, nowMs: NOW_MS };
                    const expected = await bruteForce(engine, query);
                    expect(await found(store, query)).toEqual(expected);
                    expect(await counted(store, query)).toBe(expected.length);
                  }
                }
              }
              store.close();
            },
          ),
          { numRuns: runs(60) },
        );
      },
    );

    test("a search in one topic uses segments that it shares with others", { timeout: LONG_MS }, async () => {
      const engine = makeEngine();
      const { store, subIds } = await storeWith(engine, ["backups", "doors"]);
      const [backups = 0, doors = 0] = subIds;
      const lines = (name: string, count: number) =>
        Array.from({ length: count }, (_, at) =>
          message(`${name}${at}`, NOW_S - 4_000 + at * 2, {
            message: at % 50 === 0 ? "Ärger mit der Tür" : "alles gut",
          }),
        );
      await receive(store, backups, lines("b", 600));
      await receive(store, doors, lines("d", 350));
      const query = (rest: Partial<PageQuery>): PageQuery => ({
        ...{ list: "feed", direction: "older", count: 5, nowMs: NOW_MS, subIds: [backups] },
        ...{ filter: rowFilter("arger -gut"), ...rest },
      });
      const check = async () => {
        for (const direction of ["older", "newer"] as const) {
          const expected = await bruteForce(engine, query({ direction }));
          expect(expected).toHaveLength(12);
          expect(await found(store, query({ direction }))).toEqual(expected);
        }
        expect(await counted(store, query({}))).toBe(12);
        expect(await found(store, query({ subIds: [doors] }))).toHaveLength(7);
        // All these words are in every segment, but not always next to each other.
        for (const [text, times] of [
          ['"rger mit der tu"', 12],
          ['"alles mit der tur"', 0],
          ['title:"arger mit der tur"', 0],
          ['-"alles gut"', 12],
        ] as const) {
          const filter = rowFilter(text);
          expect(await found(store, query({ filter })), text).toHaveLength(times);
          expect(await counted(store, query({ filter })), text).toBe(times);
        }
      };
      await check();
      must(await store.updateIndex());
      await check();
      while (must(await store.updateIndex()).more);
      const { segments, unindexed } = await checkConsistency(engine);
      expect(segments.length).toBeLessThan(25);
      expect(unindexed).toEqual([]);
      await check();
      store.close();
    });

    test("tags are known, the most frequent first, indexed or not", async () => {
      const { store, subIds } = await storeWith(makeEngine());
      const [subId = 0] = subIds;
      await receive(store, subId, [
        message("a", NOW_S - 3, { tags: ["disk", "Warning"] }),
        message("b", NOW_S - 2, { tags: ["warning"] }),
      ]);
      const expected = [
        { tag: "warning", count: 2 },
        { tag: "disk", count: 1 },
      ];
      expect(await store.reader.tags()).toEqual(expected);
      while (must(await store.updateIndex()).more);
      expect(await store.reader.tags()).toEqual(expected);
      await receive(store, subId, [message("c", NOW_S, { tags: ["new"] })]);
      expect((await store.reader.tags()).map(({ tag }) => tag)).toEqual(["warning", "disk", "new"]);
      store.close();
    });

    test("deleted messages leave no text in the segments", async () => {
      const engine = makeEngine();
      const { store, subIds } = await storeWith(engine);
      const [subId = 0] = subIds;
      await receive(store, subId, [message("a", NOW_S - 3, { message: "the secret" }), message("b", NOW_S)]);
      while (must(await store.updateIndex()).more);
      expect((await snapshot(engine)).segmentTexts[0]?.text).toContain("the secret");
      must(await store.mark([[subId, NOW_S - 3, "a"]], { kind: "deleted", on: true }, NOW_MS));
      while (must(await store.updateIndex()).more);
      expect((await snapshot(engine)).segmentTexts.map(({ text }) => text).join()).not.toContain("the secret");
      must(await store.mark([[subId, NOW_S - 3, "a"]], { kind: "deleted", on: false }, NOW_MS));
      expect(await feedIds(store, { filter: rowFilter("secret") })).toEqual(["a"]);
      store.close();
    });

    test("two writers and an indexer at once leave valid segments", async () => {
      const engine = makeEngine();
      const { store, subIds } = await storeWith(engine);
      const other = must(await openStore(engine));
      const [subId = 0] = subIds;
      const events = Array.from({ length: 900 }, (_, at) => message(`m${at}`, NOW_S - 900 + at));
      await Promise.all([
        receive(store, subId, events.slice(450)),
        receive(other, subId, events.slice(0, 450)),
        store.updateIndex(),
        other.updateIndex(),
        store.mark([[subId, NOW_S - 1, "m899"]], { kind: "read", on: true }, NOW_MS),
        other.updateIndex(),
        store.updateIndex(),
      ]);
      await checkConsistency(engine);
      while (must(await store.updateIndex()).more);
      expect((await checkConsistency(engine)).unindexed).toEqual([]);
      store.close();
      other.close();
    });
  });
}

/** One run of changes to a store. */
class Run {
  #next = 0;

  constructor(
    private readonly store: Store,
    private readonly engine: Engine,
    private readonly subIds: readonly number[],
  ) {}

  async take(one: Step): Promise<void> {
    const { store } = this;
    switch (one.do) {
      case "receive":
        await receive(
          store,
          this.subIds[one.sub] ?? 0,
          one.events.map((event) => message(`m${this.#next++}`, event.time, event)),
        );
        return;
      case "mark":
        must(await store.mark(await this.#keys(one.picks), one.mark, NOW_MS));
        return;
      case "delete":
        must(await store.mark(await this.#keys(one.picks), { kind: "deleted", on: true }, NOW_MS));
        return;
      case "segment":
        must(await store.updateIndex());
        return;
      case "indexAll":
        while (must(await store.updateIndex()).more);
        return;
      case "remove":
        must(await store.removeSubscription(this.subIds[1] ?? 0, NOW_MS));
    }
  }

  async #keys(at: readonly number[]): Promise<MessageKey[]> {
    const { messages } = await snapshot(this.engine);
    return at.flatMap((each): MessageKey[] => {
      const row = messages[each % messages.length];
      return row ? [[row.subId, row.time, row.id]] : [];
    });
  }
}
