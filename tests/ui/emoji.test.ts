import table from "virtual:emoji-table";
import { describe, expect, it } from "vitest";
import { partTags, readEmojiTable } from "../../src/contract";

const emoji = readEmojiTable(table);

describe("the table", () => {
  it.each([
    ["warning", "⚠️"],
    ["skull", "💀"],
    ["tada", "🎉"],
    ["+1", "👍"],
    ["thumbsup", "👍"],
    ["rotating_light", "🚨"],
    ["white_check_mark", "✅"],
  ])("draws %s", (alias, drawn) => expect(emoji.get(alias)).toBe(drawn));

  it("has all aliases of the list", () => expect(emoji.size).toBeGreaterThan(1850));
});

describe("partTags", () => {
  it("puts emoji in front in the order of the tags, and keeps the others", () => {
    expect(partTags(["disk", "warning", "tada", "hermes"], emoji)).toEqual({
      emoji: ["⚠️", "🎉"],
      others: ["disk", "hermes"],
    });
  });

  it("knows aliases as they are spelt, and takes each tag once", () => {
    expect(partTags(["Warning", "tada", "tada", "y", "y", " "], emoji)).toEqual({
      emoji: ["🎉"],
      others: ["Warning", "y"],
    });
  });

  it("is not misled by property names that every object has", () => {
    expect(partTags(["constructor", "__proto__"], emoji)).toEqual({ emoji: [], others: ["constructor", "__proto__"] });
  });

  it("keeps a title visible among hundreds of emoji", () => {
    const { emoji: front, others } = partTags([...emoji.keys()].slice(0, 200), emoji);
    expect(front).toHaveLength(8);
    expect(others).toHaveLength(192);
  });
});
