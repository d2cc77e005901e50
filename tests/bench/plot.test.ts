import { expect, test } from "vitest";
import { figureOf } from "./figure";
import { plotOf } from "./plot";

test("names of lines that end side by side stand one below the other, within the picture, each in a colour of its own", () => {
  const kinds = ["a", "b", "c", "d", "e", "f", "g"];
  const figures = kinds.flatMap((line, nth) =>
    [100, 1000].map((size) => figureOf({ name: line, measured: [10 + nth / 100], at: { line, size } })),
  );
  const plot = plotOf("seven that cost the same", figures) ?? "";
  const names = kinds.map((line) => {
    const [, y = "", colour = ""] = new RegExp(`y="([\\d.]+)"[^>]*fill="(#\\w+)">${line}, ms<`).exec(plot) ?? [];
    return { y: Number(y), colour };
  });
  const ys = names.map(({ y }) => y).sort((a, b) => a - b);
  const height = Number(/viewBox="0 0 \d+ (\d+)"/.exec(plot)?.[1]);
  expect(Math.min(...ys.slice(1).map((y, at) => y - (ys[at] ?? NaN)))).toBeGreaterThanOrEqual(12);
  expect(ys[0]).toBeGreaterThan(12);
  expect(ys.at(-1)).toBeLessThan(height);
  expect(new Set(names.map(({ colour }) => colour)).size).toBe(kinds.length);
});
