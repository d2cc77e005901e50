import { expect, test } from "vitest";
import { toMs } from "../../src/protocol";

test("seconds beyond every date are limited to those that a date can hold", () => {
  expect(toMs(1_700_000_000)).toBe(1_700_000_000_000);
  expect(new Date(toMs(1e20)).getTime()).toBe(8.64e15);
  expect(new Date(toMs(-1e20)).getTime()).toBe(-8.64e15);
});
