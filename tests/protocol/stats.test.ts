import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { publishedCount, serverUrl, type ServerAddress } from "../../src/protocol";

describe("a server's count of messages", () => {
  test("is asked for beside its topics, below the path of its address too", () => {
    expect(serverUrl("https://topics.example/below" as ServerAddress, "stats")).toBe(
      "https://topics.example/below/v1/stats",
    );
  });

  test("is read whatever else the answer holds", () => {
    expect(publishedCount({ messages: 5, messages_rate: 0.25, more: [] })).toBe(5);
    expect(publishedCount({ messages: 0 })).toBe(0);
  });

  test.each([
    null,
    undefined,
    "5",
    5,
    [],
    {},
    { messages: "5" },
    { messages: -1 },
    { messages: 0.5 },
    { messages: 2 ** 60 },
  ])("is not %j", (body) => {
    expect(publishedCount(body)).toBeUndefined();
  });

  test("is a whole number of at least zero, whatever answers", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ messages: fc.jsonValue() })), (body) => {
        const count = publishedCount(body) ?? 0;
        expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
      }),
    );
  });
});
