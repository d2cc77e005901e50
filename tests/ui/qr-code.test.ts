import fc from "fast-check";
import { expect, test } from "vitest";
import { qrCode } from "../../src/ui/parts/qr-code";
import { readQrCode } from "./read-qr-code";

/** The longest text that a code of a single block holds at 15 %, in bytes. */
const ONE_BLOCK = 42;

test("a code reads as its text", () => {
  for (const text of ["a", "https://app.example/#/backups", "https://app.example/#/a?q=gr%C3%B6%C3%9Fe"]) {
    const code = qrCode(text);
    expect(code && readQrCode(code)).toBe(text);
  }
  const short = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(
      short.map((text) => `#${text}`).filter((text) => new TextEncoder().encode(text).length <= ONE_BLOCK),
      (text) => {
        const code = qrCode(text);
        expect(code && readQrCode(code)).toBe(text);
      },
    ),
  );
});

test("a code grows with its text, up to the most that a code holds", () => {
  const sizes = [10, 400, 2_331, 2_332, 2_953].map((length) => qrCode("x".repeat(length))?.size ?? 0);
  expect(sizes).toEqual([21 + 8, expect.any(Number), 177 + 8, expect.any(Number), 177 + 8]);
  expect(sizes[1]).toBeLessThan(177);
  expect(qrCode("x".repeat(2_954))).toBeUndefined();
  expect(qrCode("ö".repeat(1_476))).toBeDefined();
  expect(qrCode("ö".repeat(1_477))).toBeUndefined();
});
