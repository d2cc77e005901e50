import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkTopicName, isTopicName, randomTopicName, RESERVED_TOPICS } from "../../src/protocol";

describe("topic names", () => {
  it.each(["a", "A-b_9", "mytopic", "x".repeat(64)])("takes %s", (name) => {
    expect(checkTopicName(name)).toEqual({ ok: true, value: name });
    expect(isTopicName(name)).toBe(true);
  });

  it.each([
    ["", { kind: "empty" }],
    ["x".repeat(65), { kind: "too-long", length: 65 }],
    ["with blank", { kind: "bad-character", character: " ", at: 4 }],
    ["ü", { kind: "bad-character", character: "ü", at: 0 }],
    ["disk💾", { kind: "bad-character", character: "💾", at: 4 }],
    ["a\n", { kind: "bad-character", character: "\n", at: 1 }],
    ["docs", { kind: "reserved", name: "docs" }],
  ])("says what is wrong with %j", (name, error) => {
    expect(checkTopicName(name)).toEqual({ ok: false, error });
  });

  it("reserves names exactly, in lower case", () => {
    for (const name of RESERVED_TOPICS) expect(checkTopicName(name).ok).toBe(false);
    expect(checkTopicName("Docs").ok).toBe(true);
    expect(checkTopicName("docs2").ok).toBe(true);
  });
});

describe("random names", () => {
  it("are valid, long, and free of characters that look alike", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), (numbers) => {
        const name = randomTopicName(() => numbers.next().value);
        expect(checkTopicName(name).ok).toBe(true);
        expect(name).toMatch(/^[abcdefghjkmnpqrstuvwxyz2-9]{4}(-[abcdefghjkmnpqrstuvwxyz2-9]{4}){3}$/);
      }),
    );
  });

  it("use every number they are given", () => {
    let calls = 0;
    const first = randomTopicName(() => (calls++ % 31) / 31);
    expect(calls).toBe(16);
    expect(new Set(first.replaceAll("-", "")).size).toBe(16);
  });
});
