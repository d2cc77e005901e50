import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowKey, type StoredMessage } from "../../src/contract";
import {
  countRuns,
  foldRuns,
  MAX_IN_RUN,
  rowsWithin,
  runKeyFor,
  runsOf,
  type Run,
} from "../../src/ui/message/repeat-runs";
import { row } from "./fake-reader";

const NOON = new Date(2026, 10, 20, 12).getTime() / 1000;
const noTerms = { terms: [] };

/** Message `n`, one second after the one before. */
function said(
  n: number,
  message: string,
  more: Partial<StoredMessage["event"]> = {},
  marks: Partial<StoredMessage> = {},
) {
  const plain = row(n, { time: NOON + n, ...marks });
  return { ...plain, event: { ...plain.event, time: NOON + n, message, ...more } };
}
/** Newest first. */
const BUTTON = { action: "view", label: "Open", url: "https://a.example" };

const listOf = (...texts: string[]) => texts.map((text, index) => said(texts.length - index, text));
const runsIn = (rows: readonly StoredMessage[], filter: Parameters<typeof runKeyFor>[0] = noTerms) =>
  runsOf(rows, runKeyFor(filter), () => true);
const sizes = (runs: readonly Run[]) => runs.map(({ length }) => length);
const shownOf = (rows: readonly StoredMessage[]) => foldRuns(runsIn(rows), new Set()).rows;

describe("messages in a row", () => {
  it("fold if they differ only in numbers", () => {
    const rows = listOf("Disk at 93 %", "Disk at 92 %", "Disk at 91 %", "Backup done");
    expect(sizes(runsIn(rows))).toEqual([3, 1]);
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
    const { rows: shown, folds } = foldRuns(runsIn(rows), new Set(), [rowKey(last), undefined]);
    expect(shown).toEqual([first, starred, last]);
    expect(folds.get(first)?.run).toEqual(rows);
  });

  it("don't fold where a filter finds its word in different places", () => {
    const filter = { terms: [{ kind: "text" as const, text: "91", not: false }] };
    const rows = [said(3, "Disk at 91 %"), said(2, "Disk at 91 %"), said(1, "Disk at 92 %", { title: "" })];
    expect(sizes(runsIn(rows, filter))).toEqual([2, 1]);
  });

  it("fold over a word that the filter excludes elsewhere", () => {
    const filter = { terms: [{ kind: "contains" as const, field: "title" as const, text: "95", not: true }] };
    expect(sizes(runsIn(listOf("Disk at 93 %", "Disk at 92 %", "Disk at 95 %"), filter))).toEqual([3]);
  });

  it("are shown in full if the topic's setting says so, and once the user opened them", () => {
    const rows = listOf("Up 3 h", "Up 2 h", "Up 1 h");
    expect(sizes(runsOf(rows, runKeyFor(noTerms), () => false))).toEqual([1, 1, 1]);
    const open = foldRuns(runsIn(rows), new Set(rows.map(rowKey)));
    expect(open.rows).toEqual(rows);
    expect(open.folds.get(rows[0] as StoredMessage)?.isOpen).toBe(true);
  });

  it("are cut into runs that can be opened at once, ten thousand too", () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => said(10_000 - index, `Took ${String(index + 1)} s`));
    const runs = runsIn(rows);
    expect(Math.max(...sizes(runs))).toBe(MAX_IN_RUN);
    expect(countRuns(runs).shown).toBe(101);
    expect(rowsWithin(runs, { shown: 600, behind: 5_000 })).toBeGreaterThan(4_900);
  });

  it("are cut at the same places whatever comes at their ends", () => {
    const rows = Array.from({ length: 350 }, (_, index) => said(350 - index, `Took ${String(index + 1)} s`));
    const cuts = (of: readonly StoredMessage[]) =>
      runsIn(of)
        .slice(1)
        .map(([first]) => first && rowKey(first));
    expect(cuts(rows.slice(30)).slice(0, 2)).toEqual(cuts(rows).slice(0, 2));
    expect(cuts(rows.slice(0, -30))).toEqual(cuts(rows));
  });

  it("have all rows in order, each with those beside it that repeat it", () => {
    const texts = fc.constantFrom("Up 1 h", "Up 2 h", "HTTP 200", "HTTP 500", "Backup");
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 90 }), (some) => {
        const rows = listOf(...some);
        const key = runKeyFor(noTerms);
        const runs = runsIn(rows);
        expect(runs.flat()).toEqual(rows);
        for (const [index, run] of runs.entries()) {
          expect(new Set(run.map(key)).size).toBe(1);
          const next = runs[index + 1]?.[0];
          if (next && run[0]) expect(key(next)).not.toBe(key(run[0]));
        }
      }),
    );
  });
});
