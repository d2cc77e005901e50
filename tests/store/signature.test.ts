import fc from "fast-check";
import { expect, test } from "vitest";
import { gramsOf, mayHold, signatureOf } from "../../src/store/packs/signature";

test("a signature never rules out what is in the text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 400 }),
      fc.nat(),
      fc.nat({ max: 30 }),
      (text, from, length) => {
        const start = from % (text.length + 1);
        expect(mayHold(signatureOf(text), gramsOf(text.slice(start, start + length)))).toBe(true);
      },
    ),
  );
});

test("it rules nearly everything out that is not there, however long the text is", () => {
  for (const words of [100, 2_000, 20_000]) {
    const text = Array.from({ length: words }, (_, at) => `w${(at * 7_919) % 9_973} backup of disk`).join(" ");
    const signature = signatureOf(text);
    const absent = Array.from({ length: 1_000 }, (_, at) => `zq${at}xk`);
    const passed = absent.filter((word) => mayHold(signature, gramsOf(word)));
    expect(passed.length).toBeLessThan(20);
  }
});
