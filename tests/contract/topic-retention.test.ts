import { expect, test } from "vitest";
import { topicRetentionS } from "../../src/contract";

test("a topic is kept as its own messages have shown, else as those of its server, and never without a cache", () => {
  expect(topicRetentionS(43_200, { leastS: 600 })).toBe(600);
  expect(topicRetentionS(43_200, undefined)).toBe(43_200);
  expect(topicRetentionS(undefined, undefined)).toBeUndefined();
  expect(topicRetentionS(0, { leastS: 600 })).toBe(0);
});
