import { describe, expect, it } from "vitest";
import { Heights } from "../../src/ui/feed/list/virtual-layout";

describe("Heights", () => {
  it("estimates by the mean of the measured heights", () => {
    const heights = new Heights();
    expect(heights.of("a")).toBeGreaterThan(0);
    heights.set("a", 100);
    heights.set("b", 200);
    expect(heights.of("c")).toBe(150);
    expect(heights.of("a")).toBe(100);
  });

  it("says whether a measurement changes anything", () => {
    const heights = new Heights();
    expect(heights.set("a", 400)).toBe(true);
    expect(heights.set("a", 400.2)).toBe(false);
    expect(heights.set("a", 300)).toBe(true);
  });

  it("keeps the estimate when the width changes, and forgets the rest", () => {
    const heights = new Heights();
    heights.set("a", 100);
    heights.set("b", 200);
    heights.clear();
    expect(heights.has("a")).toBe(false);
    expect(heights.of("a")).toBe(150);
  });

  it("stays bounded", () => {
    const heights = new Heights();
    for (let at = 0; at < 10_000; at++) heights.set(String(at), 50);
    expect(heights.has("0")).toBe(false);
    expect(heights.has("9999")).toBe(true);
    expect(heights.guess).toBeCloseTo(50);
  });
});
