import fc from "fast-check";
import { expect, test } from "vitest";
import { reduceSequence, standingOf, type SequenceInput } from "../../src/store/reduce-sequence";

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

/** Ids and arrival numbers are given once: later uses of one are the same event again. */
const inputs = fc
  .array(input, { maxLength: 12 })
  .map((all) =>
    all.map((one, at): SequenceInput => (one.kind === "message" ? { ...one, id: `m${at}`, arrival: at } : one)),
  );

test("the same events give the same end in any order and however often they come", () => {
  fc.assert(
    fc.property(
      inputs.chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray([...events, ...events]))),
      ([events, some]) => {
        const expected = reduceSequence({}, events);
        // Whatever came in between, all of them again, one by one.
        const state = [...some, ...events].reduce((is, event) => reduceSequence(is, [event]), {});
        expect(state).toEqual(expected);
      },
    ),
  );
});

test("gives the very same state back when nothing is new", () => {
  fc.assert(
    fc.property(inputs, (events) => {
      const state = reduceSequence({}, events);
      expect(reduceSequence(state, events)).toBe(state);
    }),
  );
});

test("at most one version is the newest, and everything up to a delete is gone", () => {
  fc.assert(
    fc.property(inputs, (events) => {
      const state = reduceSequence({}, events);
      const messages = events.filter((event) => event.kind === "message");
      const deletes = events.filter((event) => event.kind === "delete").map((event) => event.time);
      const standings = messages.map((message) => standingOf(message, state));
      expect(standings.filter((standing) => standing === "newest").length).toBeLessThanOrEqual(1);
      expect(standings.map((standing) => standing === "gone")).toEqual(
        messages.map((message) => message.time <= Math.max(-1, ...deletes)),
      );
    }),
  );
});
