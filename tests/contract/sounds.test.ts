import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeSounds, SOUND_NAMES, soundOf, type Sounds } from "../../src/contract";
import { row } from "../ui/fake-reader";

const sounds: Sounds = { urgent: "siren", high: "bell", others: "chime", topics: { 2: "none", 3: "drop" } };
const of = (subId: number, priority?: number) => {
  const base = row(1, { subId });
  return { ...base, event: { ...base.event, ...(priority !== undefined && { priority: priority as 5 }) } };
};

test.each([
  [5, "siren"],
  [4, "bell"],
  [3, "chime"],
  [undefined, "chime"],
  [2, undefined],
  [1, undefined],
])("a message of priority %s sounds as set, and a low one never does", (priority, name) => {
  expect(soundOf(sounds, [of(1, priority)])?.name).toBe(name);
});

test("a topic's own sound replaces all three, but low messages stay silent", () => {
  expect(soundOf(sounds, [of(3, 5)])).toEqual({ name: "drop", priority: 5 });
  expect(soundOf(sounds, [of(3, 2)])).toBeUndefined();
  expect(soundOf(sounds, [of(2, 5)])).toBeUndefined();
});

test("of several that come at once the highest priority that has a sound is heard", () => {
  expect(soundOf(sounds, [of(1, 3), of(1, 4), of(2, 5)])?.name).toBe("bell");
  expect(soundOf(decodeSounds(undefined), [of(1, 5)])).toBeUndefined();
});

test("whatever is stored is read as sounds that exist", () => {
  expect(decodeSounds(sounds)).toEqual(sounds);
  expect(decodeSounds({ ...sounds, urgent: "trumpet", topics: { 1: "gong", x: "bell", 3: "drop" } })).toEqual({
    ...sounds,
    urgent: "none",
    topics: { 3: "drop" },
  });
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const { topics, ...three } = decodeSounds(value);
      for (const name of [...Object.values(three), ...Object.values(topics)])
        expect(["none", ...SOUND_NAMES]).toContain(name);
    }),
  );
});
