import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Mark, MessageKey, StoredMessage, Via } from "../../src/contract";
import type { StorableEvent } from "../../src/protocol";
import { openStore, type Arrival, type Store } from "../../src/store";
import { checkConsistency } from "./check-consistency";
import { arrivals, batch, control, message, must, NOW_MS, NOW_S, receive, storeWith, type Engine } from "./samples";
import { inOrder, possibleOrders } from "./sequence-truth";
import { runs } from "../long";

/** Time limit for many runs on a busy machine, ms. */
const LONG_MS = 120_000;

/** Time that one step of a run takes, seconds. */
const STEP_S = 7;

/** Events of one sequence in one second, in the server's order. */
const OF_ONE_SECOND: readonly StorableEvent[] = [
  message("t0", NOW_S - 10, { sequence_id: "tied" }),
  control("delete", "td", "tied", NOW_S - 10),
  message("t1", NOW_S - 10, { sequence_id: "tied" }),
  control("clear", "tc", "tied", NOW_S - 10),
  message("t2", NOW_S - 10, { sequence_id: "tied" }),
];

/** Everything that a server ever published in a run: plain messages, versions, deletes, clears, scheduled ones. */
const PUBLISHED: readonly StorableEvent[] = [
  ...Array.from({ length: 8 }, (_, at) => message(`p${at}`, NOW_S - 40 + at * 5, { priority: at % 2 ? 5 : 3 })),
  ...Array.from({ length: 4 }, (_, at) => message(`v${at}`, NOW_S - 38 + at * 6, { sequence_id: "job" })),
  ...Array.from({ length: 3 }, (_, at) => message(`u${at}`, NOW_S - 20 + at * 6, { sequence_id: "p1" })),
  ...Array.from({ length: 3 }, (_, at) => message(`s${at}`, NOW_S + 10 + at * 30)),
  message("sv", NOW_S + 25, { sequence_id: "job" }),
  control("delete", "d1", "job", NOW_S - 30),
  control("delete", "d2", "p2", NOW_S - 5),
  control("delete", "d3", "p1", NOW_S - 15),
  control("clear", "c1", "p3", NOW_S - 3),
  control("clear", "c2", "job", NOW_S - 20),
  ...OF_ONE_SECOND,
];

type Step =
  | { do: "tell"; sub: number; from: number }
  | { do: "ingest"; picks: { sub: number; event: number; via: Via }[] }
  | { do: "mark"; picks: number[]; mark: Mark }
  | { do: "delete" | "restore"; picks: number[] }
  | { do: "readAll"; sub: number; upTo: number }
  | { do: "settle" | "wake" | "prune" | "purge" | "segment" }
  | { do: "reconcile"; present: string[] }
  | { do: "limit"; keepMessages: number }
  | { do: "remove" | "putBack"; sub: number };

const sub = fc.nat({ max: 1 });
const picks = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 6 });
const mark: fc.Arbitrary<Mark> = fc.oneof(
  fc.record({ kind: fc.constantFrom("read" as const, "done" as const, "starred" as const), on: fc.boolean() }),
  fc.record({
    kind: fc.constant("snooze" as const),
    untilMs: fc.option(fc.nat({ max: 200 }).map((seconds) => NOW_MS + seconds * 1_000)),
  }),
);
const ingestStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("ingest" as const),
  picks: fc.array(
    fc.record({
      sub,
      event: fc.nat({ max: PUBLISHED.length - 1 }),
      via: fc.constantFrom<Via>("stream", "poll"),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: ingestStep },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("mark" as const), picks, mark }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("delete" as const, "restore" as const), picks }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("settle" as const, "wake" as const, "prune" as const, "purge" as const, "segment" as const),
    }),
  },
  fc.record({
    do: fc.constant("readAll" as const),
    sub,
    upTo: fc.nat({ max: 60 }),
  }),
  fc.record({ do: fc.constant("tell" as const), sub, from: fc.nat({ max: OF_ONE_SECOND.length - 1 }) }),
  fc.record({ do: fc.constant("reconcile" as const), present: fc.subarray(["s0", "s1", "s2", "sv"]) }),
  fc.record({ do: fc.constant("limit" as const), keepMessages: fc.constantFrom(0, 3, 100) }),
  fc.record({ do: fc.constantFrom("remove" as const, "putBack" as const), sub }),
);

/** One run on two connections, like those of two workers that share only the database. */
class Run {
  readonly alerted: string[] = [];
  #now = 0;

  constructor(private readonly subIds: readonly number[]) {}

  /** Carries out one step and collects its announcements. */
  async take(store: Store, one: Step): Promise<void> {
    this.#now += STEP_S;
    const nowMs = NOW_MS + this.#now * 1_000;
    const serverNowS = NOW_S + this.#now;
    const rows = async () => (await this.#rows(store)).map((row): MessageKey => [row.subId, row.time, row.id]);
    const chosen = async (at: number[]) => {
      const keys = await rows();
      return at.map((each) => keys[each % keys.length]).filter((key) => key !== undefined);
    };
    switch (one.do) {
      case "ingest": {
        const picked = one.picks.flatMap(({ sub: at, event, via }): Arrival[] => {
          const published = PUBLISHED[event];
          return published ? [{ subId: this.subIds[at] ?? 0, event: published, via }] : [];
        });
        this.#alert(must(await store.ingest(batch(picked, { nowMs, serverNowS }))).alerts);
        return;
      }
      case "tell": {
        const events = OF_ONE_SECOND.slice(one.from);
        const told = arrivals(this.subIds[one.sub] ?? 0, events, "poll");
        this.#alert(must(await store.ingest(batch(told, { nowMs, serverNowS, isOrdered: true }))).alerts);
        return;
      }
      case "mark":
        must(await store.mark(await chosen(one.picks), one.mark, nowMs));
        return;
      case "delete":
        must(await store.mark(await chosen(one.picks), { kind: "deleted", on: true }, nowMs));
        return;
      case "restore":
        must(
          await store.mark(
            PUBLISHED.map(({ time, id }): MessageKey => [this.subIds[0] ?? 0, time, id]),
            { kind: "deleted", on: false },
            NOW_MS,
          ),
        );
        return;
      case "readAll": {
        const filter = { terms: [{ kind: "is", what: "unread", not: false } as const] };
        const every = { list: "feed" as const, subIds: [this.subIds[one.sub] ?? 0], filter, upTo: one.upTo };
        must(await store.mark(must(await store.chosenKeys(every, nowMs)), { kind: "read", on: true }, nowMs));
        return;
      }
      case "settle":
        this.#alert(must(await store.settleDue({ serverNowS, nowMs, alerts: true })).alerts);
        return;
      case "wake":
        must(await store.wakeSnoozed(nowMs));
        return;
      case "prune":
        must(await store.prune(nowMs));
        return;
      case "purge":
        must(await store.purgeRemoved(nowMs));
        return;
      case "segment":
        must(await store.updateIndex());
        return;
      case "reconcile": {
        const presentIds = new Set(one.present);
        must(await store.reconcileScheduled({ subIds: [...this.subIds], presentIds, serverNowS, beforeMs: nowMs }));
        return;
      }
      case "limit":
        must(await store.setSetting("keepMessages", one.keepMessages));
        return;
      case "remove":
        must(await store.removeSubscription(this.subIds[one.sub] ?? 0, nowMs));
        return;
      case "putBack":
        must(await store.restoreSubscription(this.subIds[one.sub] ?? 0));
        return;
    }
  }

  #alert(rows: readonly StoredMessage[]): void {
    this.alerted.push(...rows.map((row) => `${row.subId}/${row.id}`));
  }

  async #rows(store: Store): Promise<StoredMessage[]> {
    const pages = await Promise.all(
      (["feed", "done", "starred", "scheduled"] as const).map((list) =>
        store.reader.page({ list, direction: "older", count: 100, nowMs: 0 }),
      ),
    );
    return pages.flatMap((page) => page.rows);
  }
}

export function describeProperties(makeEngine: () => Engine): void {
  describe("whatever happens", () => {
    test(
      "counters are exact, each message is there once and alerts once, with two writers at a time",
      { timeout: LONG_MS },
      async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.tuple(step, fc.option(step)), { minLength: 1, maxLength: 14 }),
            async (steps) => {
              const engine = makeEngine();
              const { store, subIds } = await storeWith(engine, ["backups", "doors"]);
              const other = must(await openStore(engine));
              const run = new Run(subIds);
              for (const [mine, theirs] of steps) {
                await Promise.all([run.take(store, mine), theirs && run.take(other, theirs)]);
                await checkConsistency(engine);
              }
              expect(new Set(run.alerted).size).toBe(run.alerted.length);
              store.close();
              other.close();
            },
          ),
          { numRuns: runs(100) },
        );
      },
    );

    test(
      "the same events lead to the same state, in whatever order, pieces and repetitions they arrive",
      { timeout: LONG_MS },
      async () => {
        // Their times are distinct, as the order within a second is unknown here.
        const events: StorableEvent[] = [
          message("root", NOW_S - 60),
          message("plain", NOW_S - 59),
          message("r2", NOW_S - 50, { sequence_id: "root" }),
          message("r3", NOW_S - 40, { sequence_id: "root" }),
          control("delete", "dr", "root", NOW_S - 45),
          message("j1", NOW_S - 55, { sequence_id: "job" }),
          message("j2", NOW_S - 35, { sequence_id: "job" }),
          message("j3", NOW_S - 25, { sequence_id: "job" }),
          control("clear", "cj", "job", NOW_S - 30),
          control("clear", "cp", "plain", NOW_S - 20),
          control("delete", "dx", "x", NOW_S - 10),
          message("x", NOW_S - 15),
        ];
        const endOf = async (pieces: StorableEvent[][]) => {
          const engine = makeEngine();
          const { store, subIds } = await storeWith(engine);
          for (const piece of pieces) await receive(store, subIds[0] ?? 0, piece);
          const { messages } = await checkConsistency(engine);
          store.close();
          return messages
            .map((row) => [
              row.id,
              row.supersededBy ? "earlier" : row.updated ? "update" : "alone",
              !row.supersededBy && row.readAtMs !== undefined,
            ])
            .sort();
        };
        const expected = await endOf([events]);
        expect(expected).toEqual([
          ["j1", "earlier", false],
          ["j2", "earlier", false],
          ["j3", "update", false],
          ["plain", "alone", true],
          ["r3", "alone", false],
        ]);
        const shuffled = fc.shuffledSubarray([...events, ...events], { minLength: 0 });
        await fc.assert(
          fc.asyncProperty(
            fc.tuple(shuffled, fc.shuffledSubarray(events, { minLength: events.length }), fc.nat({ max: 4 })),
            async ([some, all, size]) => {
              const stream = [...some, ...all];
              const pieces = Array.from({ length: Math.ceil(stream.length / (size + 1)) }, (_, at) =>
                stream.slice(at * (size + 1), (at + 1) * (size + 1)),
              );
              expect(await endOf(pieces)).toEqual(expected);
            },
          ),
          { numRuns: runs(60) },
        );
      },
    );

    test(
      "an unknown order within a second deletes nothing, marks nothing read and silences nothing, and a known order holds",
      { timeout: LONG_MS },
      async () => {
        await fc.assert(
          fc.asyncProperty(lifeOfSequence, async ({ events, pieces }) => {
            const engine = makeEngine();
            const { store, subIds } = await storeWith(engine);
            const subId = subIds[0] ?? 0;
            const arrived = new Set<StorableEvent>();
            const told: StorableEvent[][] = [];
            const alerted: string[] = [];
            for (const { isOrdered, some } of pieces) {
              const before = new Set(arrived);
              for (const event of some) arrived.add(event);
              if (isOrdered) told.push(some);
              const result = await receive(store, subId, some, { via: isOrdered ? "poll" : "stream", isOrdered });
              alerted.push(...result.alerts.map((row) => row.id));
              const { messages } = await checkConsistency(engine);
              for (const order of possibleOrders([...arrived], told)) {
                const kept = inOrder(order);
                for (const [at, { id, isRead }] of kept.entries()) {
                  const row = messages.find((one) => one.id === id);
                  const what = `${id} of ${order.map((event) => event.id).join()}`;
                  expect(row, `${what} is kept`).toBeDefined();
                  if (isRead) continue;
                  const isShown = row?.supersededBy === undefined;
                  if (isShown) expect(row?.readAtMs, `${what} is unread`).toBeUndefined();
                  const isNew = ![...before].some((event) => event.id === id);
                  if (isNew && at === kept.length - 1) expect(alerted, `${what} alerts`).toContain(id);
                }
              }
            }
            const last = await receive(store, subId, events, { via: "poll", isOrdered: true });
            alerted.push(...last.alerts.map((row) => row.id));
            expect(last.isUnsettled).toBe(false);
            const { messages } = await checkConsistency(engine);
            const versions = inOrder(events);
            const newest = versions.at(-1);
            expect(messages.map(({ id }) => id).sort()).toEqual(versions.map(({ id }) => id).sort());
            const isOfLastSecond = (id: string) =>
              messages.some((row) => row.id === id && row.time === events.at(-1)?.time);
            const earlier = (await store.reader.versions(subId, "job")).map(({ id }) => id).reverse();
            expect(earlier.filter(isOfLastSecond)).toEqual(
              versions.map(({ id }) => id).filter((id) => id !== newest?.id && isOfLastSecond(id)),
            );
            const shown = messages.filter((row) => row.supersededBy === undefined);
            expect(shown.map((row) => ({ id: row.id, isRead: row.readAtMs !== undefined }))).toEqual(
              newest ? [newest] : [],
            );
            expect(messages.filter((row) => row.unsettled)).toEqual([]);
            expect(new Set(alerted).size).toBe(alerted.length);
            if (newest && !newest.isRead) expect(alerted).toContain(newest.id);

            const again = await receive(store, subId, events, { via: "poll", isOrdered: true });
            expect(again).toMatchObject({ added: [], changed: [], removed: [], alerts: [], isUnsettled: false });
            store.close();
          }),
          { numRuns: runs(150) },
        );
      },
    );
  });
}

/**
 * Up to six events of one sequence in two seconds, in the server's order, and how they arrive: some twice, some never.
 */
const lifeOfSequence = fc
  .array(fc.record({ kind: fc.constantFrom("message", "message", "delete", "clear"), late: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((drawn) =>
    drawn
      .sort((a, b) => Number(a.late) - Number(b.late))
      .map(({ kind, late }, at): StorableEvent => {
        const time = NOW_S - 1 + Number(late);
        return kind === "message"
          ? message(`m${at}`, time, { sequence_id: "job" })
          : control(kind as "delete" | "clear", `${kind}${at}`, "job", time);
      }),
  )
  .chain((events) =>
    fc.record({
      events: fc.constant(events),
      pieces: fc.array(
        fc.oneof(
          // A stream, or a poll of several topics, brings events in any order.
          fc.shuffledSubarray(events, { minLength: 1 }).map((some) => ({ isOrdered: false, some })),
          // A poll of the topic alone may come at any moment and start anywhere.
          fc
            .tuple(fc.nat({ max: events.length - 1 }), fc.nat({ max: events.length - 1 }))
            .map(([a, b]) => ({ isOrdered: true, some: events.slice(Math.min(a, b), Math.max(a, b) + 1) })),
        ),
        { maxLength: 4 },
      ),
    }),
  );
