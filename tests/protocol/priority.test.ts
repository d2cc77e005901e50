import { describe, expect, it } from "vitest";
import { parsePriority, PRIORITY_NAMES, type Priority } from "../../src/protocol";

describe("priorities", () => {
  it.each<[string, Priority]>([
    ["1", 1],
    ["min", 1],
    ["2", 2],
    ["low", 2],
    ["3", 3],
    ["default", 3],
    ["4", 4],
    ["high", 4],
    ["5", 5],
    ["max", 5],
    ["urgent", 5],
    ["URGENT", 5],
    [" High ", 4],
  ])("reads %j as %d", (text, priority) => {
    expect(parsePriority(text)).toBe(priority);
  });

  it.each(["", "0", "6", "-1", "1.0", "highest", "4 5", "constructor"])("does not read %j", (text) => {
    expect(parsePriority(text)).toBeUndefined();
  });

  it("reads the names that it writes", () => {
    for (const [number, name] of Object.entries(PRIORITY_NAMES)) expect(parsePriority(name)).toBe(Number(number));
  });
});
