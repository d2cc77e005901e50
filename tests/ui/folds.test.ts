import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeatKey, rowKey, type StoredMessage } from "../../src/contract";
import { findFolds, foldRows, hiddenBy, rangeOf, rowsWithin } from "../../src/ui/message/folds";
import { row } from "./fake-reader";

const NOON = new Date(2026, 10, 20, 12).getTime() / 1000;
const BUTTON = { action: "view", label: "Open", url: "https://a.example" };

/** Message `n`, one second after the one before. */
function said(
  n: number,
  message: string,
  more: Partial<StoredMessage["event"]> = {},
  marks: Partial<StoredMessage> = {},
): StoredMessage {
  const plain = row(n, { time: NOON + n, ...marks });
  return { ...plain, event: { ...plain.event, time: NOON + n, message, title: "", ...more } };
}

/** Newest first. */
const listOf = (...texts: string[]) => texts.map((text, index) => said(texts.length - index, text));
const foldsIn = (rows: readonly StoredMessage[]) => findFolds(rows, () => true);
const shownOf = (rows: readonly StoredMessage[]) => foldRows(rows, foldsIn(rows), new Set()).rows;
const countsOf = (rows: readonly StoredMessage[]) => [...foldsIn(rows).values()].map(({ run }) => run.length);

/** Failed probes of nine workers, newest first, one every so many seconds. */
const probes = (count: number, everyS: number, more: (n: number) => Partial<StoredMessage["event"]> = () => ({})) =>
  Array.from({ length: count }, (_, index) => {
    const n = count - 1 - index;
    const text = `worker-${String(n % 9)}: no answer (error ${String(500 + (n % 7))})`;
    return said(n, text, { title: "Probe failed", ...more(n) }, { time: NOON + n * everyS });
  });

describe("messages in a row", () => {
  it("fold if they differ only in numbers", () => {
    const rows = listOf("Disk at 93 %", "Disk at 92 %", "Disk at 91 %", "Backup done");
    expect(shownOf(rows)).toEqual([rows[0], rows[3]]);
  });

  it("are shown as they are if there are two", () => {
    const rows = listOf("Disk at 93 %", "Disk at 92 %", "Backup done");
    expect(shownOf(rows)).toEqual(rows);
  });

  it.each([
    ["another status", [said(3, "HTTP 500"), said(2, "HTTP 200"), said(1, "HTTP 500")]],
    [
      "another priority",
      [said(3, "Hot: 80", { priority: 4 }), said(2, "Hot: 81", { priority: 5 }), said(1, "Hot: 82")],
    ],
    [
      "another tag",
      [3, 2, 1].map((n) => said(n, `Backup of ${String(n)} GB`, { tags: [n === 2 ? "x" : "white_check_mark"] })),
    ],
    ["another topic", [said(3, "Up 3 h"), said(2, "Up 2 h", {}, { subId: 9 }), said(1, "Up 1 h")]],
    ["another day", [said(3, "Up 3 h"), said(2, "Up 2 h"), said(1 - 86_400, "Up 1 h")]],
    [
      "a button",
      [3, 2, 1].map((n) =>
        said(n, `Disk at ${String(n)} %`, {
          actions: [BUTTON],
        }),
      ),
    ],
    [
      "a file",
      [3, 2, 1].map((n) =>
        said(n, `Motion for ${String(n)} s`, { attachment: { name: "a.jpg", url: "https://a.example/a" } }),
      ),
    ],
  ])("don't fold over %s", (_, rows) => {
    expect(shownOf(rows)).toEqual(rows);
  });

  it("never hide a starred one, or one that is kept, and count them", () => {
    const rows = [4, 3, 2, 1].map((n) => said(n, `Disk at ${String(n)} %`, {}, n === 3 ? { starred: 1 } : {}));
    expect(shownOf(rows)).toEqual(rows.slice(0, 2));
    const [first, starred, , last] = rows as [StoredMessage, StoredMessage, StoredMessage, StoredMessage];
    const { rows: shown, folds } = foldRows(rows, foldsIn(rows), new Set(), [rowKey(last), undefined]);
    expect(shown).toEqual([first, starred, last]);
    expect(folds.get(first)?.run).toEqual(rows);
  });

  it("are shown in full if the topic's setting says so, and once the user opened them", () => {
    const rows = listOf("Up 3 h", "Up 2 h", "Up 1 h");
    expect(findFolds(rows, () => false).size).toBe(0);
    const open = foldRows(rows, foldsIn(rows), new Set(rows.map(rowKey)));
    expect(open.rows).toEqual(rows);
    expect(open.folds.get(rows[0] as StoredMessage)?.isOpen).toBe(true);
  });
});

describe("a storm", () => {
  it("is one row, whatever else its texts say and whatever comes in between", () => {
    const storm = probes(299, 0.2);
    const other = said(30, "Backup done", { title: "Backup" }, { subId: 9 });
    const rows = [...storm.slice(0, 100), other, ...storm.slice(100)];
    expect(shownOf(rows)).toEqual([storm[0], other]);
    const [fold] = foldsIn(rows).values();
    expect(fold?.isStorm).toBe(true);
    expect(fold?.run).toEqual(storm);
    expect(fold && rangeOf(fold.run)).toEqual({ from: "worker-0", to: "worker-8" });
  });

  it.each([
    ["fewer than ten", probes(9, 1)],
    ["more than two minutes", probes(10, 13.4)],
    ["no title", probes(10, 1, () => ({ title: "" }))],
    ["several titles", probes(10, 1, (n) => ({ title: `Probe ${String(n % 2)} failed` }))],
    ["urgent ones", probes(20, 1, () => ({ priority: 5 }))],
  ])("takes more than %s", (_, rows) => {
    expect(shownOf(rows)).toEqual(rows);
  });

  it("goes on as long as ten come within two minutes, and not over a quiet time", () => {
    expect(countsOf(probes(1_000, 13))).toEqual([1_000]);
    const rows = probes(27, 1).map((one, at) => (at < 12 ? { ...one, time: one.time + 600 } : one));
    expect(countsOf(rows)).toEqual([12, 15]);
  });

  it("never hides an urgent message or one of a higher priority than its row's", () => {
    const rows = probes(200, 0.1, (n) => (n === 50 ? { priority: 5 } : n === 70 ? { priority: 4 } : {}));
    expect(shownOf(rows).map(({ event }) => event.priority)).toEqual([undefined, 4, 5]);
  });

  it("says nothing of texts that are equal", () => {
    expect(rangeOf(Array.from({ length: 10 }, (_, n) => said(n, "down")))).toBeUndefined();
  });
});

it("a list is cut where as many are shown, or hidden, as there may be", () => {
  const rows = [...listOf("Backup done", "Up 1 h"), ...probes(30, 1), ...listOf("Disk full", "Disk empty")];
  const hidden = hiddenBy(foldsIn(rows));
  expect(hidden.size).toBe(29);
  expect(rowsWithin(rows, hidden, { shown: 9, behind: 99 })).toBe(34);
  expect(rowsWithin(rows, hidden, { shown: 4, behind: 99 })).toBe(33);
  expect(rowsWithin(rows, hidden, { shown: 9, behind: 10 })).toBe(13);
});

it("folds hide only what is like the row that stands for it", () => {
  const one = fc.record({
    text: fc.constantFrom("Up 1 h", "Up 2 h", "HTTP 200", "HTTP 500"),
    title: fc.constantFrom("", "", "Probe", "Backup"),
    subId: fc.constantFrom(1, 1, 2),
    priority: fc.constantFrom(undefined, 3 as const, 5 as const),
    afterS: fc.constantFrom(0, 1, 5, 60, 3_600),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 90 }), (some) => {
      let time = NOON;
      const rows = some
        .map(({ text, title, priority, subId, afterS }, n) =>
          said(n, text, { title, ...(priority && { priority }) }, { subId, time: (time += afterS) }),
        )
        .reverse();
      const folds = foldsIn(rows);
      const hidden = hiddenBy(folds);
      expect(shownOf(rows)).toEqual(rows.filter((row) => !hidden.has(row)));
      const folded = [...folds.values()].flatMap(({ run }) => run);
      expect(new Set(folded).size).toBe(folded.length);
      for (const [first, { run, isStorm }] of folds) {
        expect(run[0]).toBe(first);
        expect(run.map((row) => rows.indexOf(row))).toEqual(run.map((row) => rows.indexOf(row)).sort((a, b) => a - b));
        expect(run.length).toBeGreaterThanOrEqual(isStorm ? 10 : 3);
        const keyOf = ({ subId, event }: StoredMessage) =>
          JSON.stringify([subId, event.priority ?? 3, isStorm ? event.title : repeatKey(event)]);
        expect(new Set(run.map(keyOf)).size).toBe(1);
        if (isStorm) expect(first.event.priority).not.toBe(5);
      }
      // No ten of a title within two minutes are left.
      for (const row of rows.filter(({ event }) => event.title && event.priority !== 5)) {
        const near = rows.filter(
          ({ subId, event, time }) =>
            subId === row.subId &&
            event.title === row.event.title &&
            event.priority !== 5 &&
            (event.priority ?? 3) === (row.event.priority ?? 3) &&
            time <= row.time &&
            time >= row.time - 120,
        );
        if (near.length >= 10) expect(folded).toContain(row);
      }
    }),
  );
});
