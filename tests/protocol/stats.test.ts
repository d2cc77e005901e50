import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeStats, statsUrl, type ServerAddress } from "../../src/protocol";

describe("a server's count of messages", () => {
  test("is asked for beside its topics, below the path of its address too", () => {
    expect(statsUrl("https://topics.example/below" as ServerAddress)).toBe("https://topics.example/below/v1/stats");
  });

  test("is read with the rate, which some don't tell", () => {
    expect(decodeStats({ messages: 5, messages_rate: 0.25, more: [] })).toEqual({ messages: 5, rate: 0.25 });
    expect(decodeStats({ messages: 0 })).toEqual({ messages: 0, rate: 0 });
  });

  test.each([null, "5", 5, [], {}, { messages: "5" }, { messages: -1 }, { messages: 0.5 }, { messages: 2 ** 60 }])(
    "is not %j",
    (body) => {
      expect(decodeStats(body)).toBeUndefined();
    },
  );

  test.each([-1, Infinity, NaN, "0.1", null])("comes with no rate of %s", (rate) => {
    expect(decodeStats({ messages: 5, messages_rate: rate })).toBeUndefined();
  });

  test("is whole and no less than zero, whatever answers", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (messages, rate) => {
        const stats = decodeStats({ messages, messages_rate: rate });
        if (stats) expect(Number.isSafeInteger(stats.messages) && stats.messages >= 0 && stats.rate >= 0).toBe(true);
      }),
    );
  });
});
