import fc from "fast-check";
import { expect, test } from "vitest";
import { isBefore, judgeSecond, reduceSequence, type SequenceInput } from "../../src/store/ingest/reduce-sequence";
import { message, NOW_S } from "./samples";

const input: fc.Arbitrary<SequenceInput> = fc.oneof(
  fc.record({
    kind: fc.constant("message" as const),
    time: fc.integer({ min: 0, max: 5 }),
    id: fc.constantFrom("a", "b", "c", "d", "e"),
    arrival: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constantFrom("delete" as const, "clear" as const),
    time: fc.integer({ min: 0, max: 5 }),
    id: fc.constantFrom("x", "y"),
  }),
);

/**
 * Sequences of events in which each id and arrival number is used once; whatever has the same one is the same event
 * again.
 */
const inputs = fc
  .array(input, { maxLength: 12 })
  .map((all) =>
    all.map((one, at): SequenceInput => (one.kind === "message" ? { ...one, id: `m${at}`, arrival: at } : one)),
  );

test("the same events give the same state in any order and however often they come", () => {
  fc.assert(
    fc.property(
      inputs.chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray([...events, ...events]))),
      ([events, some]) => {
        const expected = reduceSequence({}, events);
        // After some of the events in any order, all of them come again one by one.
        const state = [...some, ...events].reduce((is, event) => reduceSequence(is, [event]), {});
        expect(state).toEqual(expected);
      },
    ),
  );
});

test("the same object is returned when nothing is new", () => {
  fc.assert(
    fc.property(inputs, (events) => {
      const state = reduceSequence({}, events);
      expect(reduceSequence(state, events)).toBe(state);
    }),
  );
});

test("the newest event of each kind counts, and all deletes and clears of its second are known", () => {
  fc.assert(
    fc.property(inputs, (events) => {
      const state = reduceSequence({}, events);
      for (const [kind, mark] of [
        ["delete", state.deleted],
        ["clear", state.cleared],
      ] as const) {
        const own = events.filter((event) => event.kind === kind);
        const newest = Math.max(...own.map(({ time }) => time));
        const ids = new Set(own.filter(({ time }) => time === newest).map(({ id }) => id));
        expect(mark && [mark.time, [mark.id, ...(mark.others ?? [])].sort()]).toEqual(
          own.length > 0 ? [newest, [...ids].sort()] : undefined,
        );
      }
      const times = events.filter(({ kind }) => kind === "message").map(({ time }) => time);
      expect(state.newest?.time).toBe(times.length > 0 ? Math.max(...times) : undefined);
      for (const { time } of events) {
        expect(isBefore({ time }, state.deleted)).toBe(time < (state.deleted?.time ?? -1));
      }
    }),
  );
});

/** Events of one second in the server's order; each may be known already. */
const second = fc
  .array(fc.constantFrom("message" as const, "message" as const, "delete" as const, "clear" as const), {
    minLength: 1,
    maxLength: 7,
  })
  .map((kinds) => kinds.map((kind, at) => ({ kind, time: NOW_S, id: `${kind}${at}` })))
  .chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })));

const judge = (events: readonly { kind: SequenceInput["kind"]; id: string }[], order: typeof events) => {
  const inputs = events.map((event, arrival): SequenceInput =>
    event.kind === "message"
      ? { kind: event.kind, id: event.id, time: NOW_S, arrival }
      : { kind: event.kind, id: event.id, time: NOW_S },
  );
  const versions = inputs.flatMap((input) =>
    input.kind === "message" ? [{ ...input, event: message(input.id, NOW_S) }] : [],
  );
  const ids = new Set(versions.map(({ id }) => id));
  return judgeSecond({ time: NOW_S, versions, entering: ids, order }, reduceSequence({}, inputs));
};

test("an unknown order deletes nothing and marks nothing read", () => {
  fc.assert(
    fc.property(second, ([, arrived]) => {
      const verdict = judge(arrived, []);
      expect([...verdict.gone, ...verdict.cleared, ...verdict.overtaken]).toEqual([]);
      expect(verdict.newest).toBe(arrived.findLast(({ kind }) => kind === "message")?.id);
      const hasMessages = verdict.newest !== undefined;
      expect(verdict.isSettled).toBe(!hasMessages || arrived.length === 1);
    }),
  );
});

test("a known order holds, however its events arrived", () => {
  fc.assert(
    fc.property(second, ([events, arrived]) => {
      const verdict = judge(arrived, events);
      const ids = (chosen: typeof events) => chosen.filter(({ kind }) => kind === "message").map(({ id }) => id);
      const deletedAt = events.findLastIndex(({ kind }) => kind === "delete");
      const clearedAt = events.findLastIndex(({ kind }) => kind === "clear");
      const left = ids(events.slice(deletedAt + 1));
      expect([...verdict.gone].sort()).toEqual(ids(events.slice(0, deletedAt + 1)).sort());
      expect([...verdict.cleared].sort()).toEqual(ids(events.slice(deletedAt + 1, Math.max(0, clearedAt))).sort());
      expect(verdict.newest).toBe(left.at(-1));
      expect([...verdict.overtaken].sort()).toEqual(left.slice(0, -1).sort());
      expect(verdict.isSettled).toBe(true);
    }),
  );
});
