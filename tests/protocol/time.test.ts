import { expect, test } from "vitest";
import { toMs } from "../../src/protocol";

test("seconds that no date can name are held to those that one can", () => {
  expect(toMs(1_700_000_000)).toBe(1_700_000_000_000);
  expect(new Date(toMs(1e20)).getTime()).toBe(8.64e15);
  expect(new Date(toMs(-1e20)).getTime()).toBe(-8.64e15);
});
