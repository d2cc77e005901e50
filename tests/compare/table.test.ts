import { expect, test } from "vitest";
import { amount, comparisonOf, duration, medianRow, mergedRows, p95Row } from "./table";

test("durations are milliseconds up to a second, then seconds, and amounts grow in the same way", () => {
  expect([16.4, 999, 1_000, 15_240, 212_300].map(duration)).toEqual(["16 ms", "999 ms", "1.0 s", "15.2 s", "212 s"]);
  expect([98.6, 1_849].map(amount)).toEqual(["99 KB", "1.8 MB"]);
});

test("a row shows the median, and its 95th percentile row the end", () => {
  const values = Array.from({ length: 21 }, (_, at) => 100 + at);
  expect(medianRow("live", values, 60_000)).toEqual({ what: "live", cell: "110 ms", values });
  expect(p95Row("live", values).cell).toBe("119 ms");
});

test("an event that never happened has no duration, and one such round is enough", () => {
  expect(medianRow("away", [undefined], 60_000).cell).toBe("not within 60 s");
  expect(medianRow("away", [20, undefined, 30, undefined], 60_000)).toEqual({
    what: "away",
    cell: "not within 60 s in 2 of 4",
    values: [20, 30],
  });
});

test("a trial that is repeated replaces its rows and leaves the others", () => {
  const before = [
    { what: "a", cell: "1" },
    { what: "b", cell: "2" },
  ];
  expect(
    mergedRows(before, [
      { what: "b", cell: "3" },
      { what: "c", cell: "4" },
    ]),
  ).toEqual([
    { what: "a", cell: "1" },
    { what: "b", cell: "3" },
    { what: "c", cell: "4" },
  ]);
});

test("the table has the rows that anybody has, in the given order, and says what was not tried", () => {
  const ours = { client: "Earshot", rows: [{ what: "second", cell: "yes" }], otherHosts: [] };
  const theirs = { client: "Other", rows: [{ what: "first", cell: "3 s" }], otherHosts: [] };
  expect(comparisonOf([ours, theirs], ["first", "nobody has it", "second"])).toBe(
    [
      "| what | Earshot | Other |",
      "| --- | --- | --- |",
      "| first | not tried | 3 s |",
      "| second | yes | not tried |",
    ].join("\n"),
  );
});
