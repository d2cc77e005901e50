import fc from "fast-check";
import { expect, test } from "vitest";
import { gramsOf, mayHold, signatureOf } from "../../src/store/search/signature";

/** Any text, and text of short words, which often stand between other words. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc
    .array(fc.constantFrom("a", "of", "disk", "12:30", "\n", "-", "ärger", "日本", "💾", "backup", ""), {
      maxLength: 60,
    })
    .map((words) => words.join(" ")),
);

test("a signature never rules out what is in the text", () => {
  fc.assert(
    fc.property(text, text, text, fc.nat(), fc.nat({ max: 60 }), (before, held, after, from, length) => {
      const start = from % (held.length + 1);
      const wanted = held.slice(start, start + length);
      const grams = gramsOf(wanted);
      expect(mayHold(signatureOf(before + held + after), grams)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("it rules out nearly everything that is not there, however long the text is", () => {
  for (const words of [100, 2_000, 20_000]) {
    const text = Array.from({ length: words }, (_, at) => `w${(at * 7_919) % 9_973} backup of disk`).join(" ");
    const signature = signatureOf(text);
    const absent = Array.from({ length: 1_000 }, (_, at) => `zq${at}xk`);
    const passed = absent.filter((word) => mayHold(signature, gramsOf(word)));
    expect(passed.length).toBeLessThan(20);
  }
});

test("words that are all there are ruled out where they do not follow one another", () => {
  const words = "backup of the north disk ended after nine minutes with no errors".split(" ");
  // Every two of these words are next to each other somewhere, but not every three.
  const text = words.flatMap((one) => words.map((other) => `${one} ${other}.`)).join(" ");
  const signature = signatureOf(text);
  const absent = words.flatMap((one) => words.map((other) => `${one} the ${other} nine`));
  const passed = absent.filter((wanted) => mayHold(signature, gramsOf(wanted)));
  expect(passed.length).toBeLessThan(absent.length / 8);
});

test("only a whole word between two others has more than its trigrams", () => {
  for (const wanted of ["disk", "sk", "the disk", " disk", "disk "])
    expect(gramsOf(wanted)).toHaveLength(Math.max(0, wanted.length - 2));
  expect(gramsOf("he disk is")).toHaveLength(9);
});
