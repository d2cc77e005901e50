import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newestFirst, repeatKey, rowKey, type StoredMessage } from "../../src/contract";
import {
  countRuns,
  foldRuns,
  isNeverHidden,
  keysBehind,
  MAX_IN_RUN,
  RepeatRuns,
  rowsWithin,
  runKeyFor,
  type Run,
} from "../../src/ui/message/repeat-runs";
import { lettersOf } from "../../src/ui/prerender/feed-rows";
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
const listOf = (...texts: string[]) => texts.map((text, index) => said(texts.length - index, text));
const runsOf = (rows: readonly StoredMessage[], filter: Parameters<typeof runKeyFor>[0] = noTerms) =>
  new RepeatRuns(runKeyFor(filter), () => true).take(rows);
const sizes = (runs: readonly Run[]) => runs.map(({ rows }) => rows.length);
const shownOf = (rows: readonly StoredMessage[]) => foldRuns(runsOf(rows), new Set(), isNeverHidden).rows;

describe("messages in a row", () => {
  it("fold if they differ only in numbers", () => {
    const rows = listOf("Disk at 93 %", "Disk at 92 %", "Disk at 91 %", "Backup done");
    expect(sizes(runsOf(rows))).toEqual([3, 1]);
    expect(shownOf(rows)).toEqual([rows[0], rows[3]]);
  });

  it("are shown as they are if there are two", () => {
    const rows = listOf("Disk at 93 %", "Disk at 92 %", "Backup done");
    expect(shownOf(rows)).toEqual(rows);
  });

  it.each([
    ["a status", [said(3, "HTTP 500"), said(2, "HTTP 200"), said(1, "HTTP 500")]],
    ["the priority", [said(3, "Hot: 80", { priority: 4 }), said(2, "Hot: 81", { priority: 5 }), said(1, "Hot: 82")]],
    ["a tag", [3, 2, 1].map((n) => said(n, `Backup ${String(n)}`, { tags: [n === 2 ? "x" : "white_check_mark"] }))],
    ["the topic", [said(3, "Up 3 h"), said(2, "Up 2 h", {}, { subId: 9 }), said(1, "Up 1 h")]],
    ["the day", [said(3, "Up 3 h"), said(2, "Up 2 h"), said(1 - 86_400, "Up 1 h")]],
    [
      "a file",
      [3, 2, 1].map((n) =>
        said(n, `Motion ${String(n)}`, { attachment: { name: "a.jpg", url: "https://a.example/a" } }),
      ),
    ],
  ])("don't fold over a difference in %s", (_, rows) => {
    expect(shownOf(rows)).toEqual(rows);
  });

  it("never hide an unread message with a button, nor a starred one", () => {
    const actions = [{ id: "a", action: "view" as const, label: "Open", url: "https://a.example", clear: false }];
    const unread = [4, 3, 2, 1].map((n) => said(n, `Disk at ${String(n)} %`, n === 2 ? { actions } : {}));
    expect(shownOf(unread)).toEqual(unread);
    const read = [4, 3, 2, 1].map((n) => said(n, `Disk at ${String(n)} %`, { actions }, { readAtMs: 1 }));
    expect(shownOf(read), "their buttons are dealt with").toEqual([read[0]]);
    const starred = [4, 3, 2, 1].map((n) => said(n, `Disk at ${String(n)} %`, {}, n === 3 ? { starred: 1 } : {}));
    expect(shownOf(starred)).toEqual(starred);
    // One that becomes unread again is shown beside the fold.
    const runs = runsOf([4, 3, 2, 1].map((n) => said(n, `Disk at ${String(n)} %`, {}, { readAtMs: 1 })));
    const [first, , third] = runs[0]?.rows ?? [];
    expect(foldRuns(runs, new Set(), (one) => one === third).rows).toEqual([first, third]);
  });

  it("don't fold where a filter finds its word in different places", () => {
    const filter = { terms: [{ kind: "text" as const, text: "91", not: false }] };
    const rows = [said(3, "Disk at 91 %"), said(2, "Disk at 91 %"), said(1, "Disk at 92 %", { title: "" })];
    expect(sizes(runsOf(rows, filter))).toEqual([2, 1]);
  });

  it("fold over a word that the filter excludes elsewhere", () => {
    const filter = { terms: [{ kind: "contains" as const, field: "title" as const, text: "95", not: true }] };
    expect(sizes(runsOf(listOf("Disk at 93 %", "Disk at 92 %", "Disk at 95 %"), filter))).toEqual([3]);
  });

  it("are shown in full if the topic's setting says so, and once the user opened them", () => {
    const rows = listOf("Up 3 h", "Up 2 h", "Up 1 h");
    expect(sizes(new RepeatRuns(runKeyFor(noTerms), () => false).take(rows))).toEqual([1, 1, 1]);
    const runs = runsOf(rows);
    const open = foldRuns(runs, new Set([runs[0]?.id ?? 0]), () => false);
    expect(open.rows).toEqual(rows);
    expect(open.folds.get(rows[0] as StoredMessage)?.isOpen).toBe(true);
  });

  it("are cut into runs that can be opened at once, ten thousand too", () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => said(10_000 - index, `Line ${String(index + 1)}`));
    const runs = runsOf(rows);
    expect(Math.max(...sizes(runs))).toBe(MAX_IN_RUN);
    expect(countRuns(runs)).toEqual({ shown: 100, behind: 9_900 });
    expect(rowsWithin(runs, { shown: 600, behind: 5_000 })).toBe(5_000);
  });

  it("name the keys that a fold would hide", () => {
    const rows = listOf("Up 3 h", "Up 2 h", "Up 1 h", "Other");
    const keys = rows.map(rowKey);
    expect(keysBehind(runsOf(rows), [...keys, undefined, "no key"])).toEqual([keys[1], keys[2]]);
  });
});

describe("runs of a list that changes", () => {
  it("keep their name while messages come at both ends", () => {
    const rows = [5, 4, 3, 2, 1].map((n) => said(n, `Up ${String(n)} h`));
    const runs = new RepeatRuns(runKeyFor(noTerms), () => true);
    const [first] = runs.take(rows.slice(1, 4));
    expect(runs.take(rows.slice(0, 4))[0]?.id).toBe(first?.id);
    expect(runs.take(rows)[0]?.id).toBe(first?.id);
    // The newest one is deleted.
    expect(runs.take(rows.slice(1))[0]?.id).toBe(first?.id);
  });

  it("stay as they are when a mark changes", () => {
    const rows = [3, 2, 1].map((n) => said(n, `Up ${String(n)} h`));
    const runs = new RepeatRuns(runKeyFor(noTerms), () => true);
    const before = runs.take(rows);
    const read = rows.map((one) => ({ ...one, readAtMs: 5 }));
    expect(runs.take(read)[0]).toEqual({ id: before[0]?.id, rows: read });
    expect(runs.take(read)[0]).toBe(runs.take(read)[0]);
  });

  it("are those of the whole list, whatever happened before", () => {
    const texts = fc.constantFrom("Disk 1", "Disk 2", "HTTP 200", "HTTP 500", "Backup");
    const step = fc.record({
      where: fc.nat(),
      removed: fc.nat({ max: 6 }),
      added: fc.array(texts, { maxLength: 60 }),
      isMarked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 250 }), fc.array(step, { maxLength: 8 }), (start, steps) => {
        let lastId = 0;
        const make = (text: string) => ({ ...said(1, text), id: `m${String(++lastId)}` });
        let rows: StoredMessage[] = start.map(make);
        const key = runKeyFor(noTerms);
        const runs = new RepeatRuns(key, () => true);
        for (const { where, removed, added, isMarked } of [
          { where: 0, removed: 0, added: [], isMarked: false },
          ...steps,
        ]) {
          const at = where % (rows.length + 1);
          rows = rows.toSpliced(at, removed, ...added.map(make));
          if (isMarked) rows = rows.map((one, index) => (index % 7 === at % 7 ? { ...one, readAtMs: 1 } : one));
          const found = runs.take(rows);
          expect(found.flatMap((run) => run.rows)).toEqual(rows);
          expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
          for (const [index, run] of found.entries()) {
            expect(run.rows.length).toBeLessThanOrEqual(MAX_IN_RUN);
            expect(new Set(run.rows.map(key)).size).toBe(1);
            // Neighbours that repeat each other are apart only where one run would be too long.
            const next = found[index + 1];
            if (next?.rows[0] && run.rows[0] && key(next.rows[0]) === key(run.rows[0]))
              expect(run.rows.length + next.rows.length).toBeGreaterThan(MAX_IN_RUN);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it("come out in order from rows in order", () => {
    const rows = listOf("Up 3 h", "Up 2 h", "Up 1 h").toSorted(newestFirst);
    expect(runsOf(rows).flatMap((run) => run.rows)).toEqual(rows);
  });
});

describe("the first rows", () => {
  // `repeatKey` of what these make is often the same, as most pieces are masked.
  const piece = fc.oneof(
    fc.constantFrom(
      "Backup of disk",
      " took ",
      "HTTP ",
      "3m20s",
      "250ms",
      "5GB",
      "12 %",
      "2026-11-20T10:00:00Z",
      "10.0.0.5",
    ),
    fc.constantFrom("0x7fff", "3f2a91c", "23:59", "2:14am", "0b8a9c1e-1f2d-4c3b-8a7e-5d6f7a8b9c0d", "µs", "x", "kg"),
    fc.nat().map(String),
    fc.string({ maxLength: 4 }),
  );
  const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(" "));

  it("have the same letters wherever messages repeat each other", () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.nat({ max: 9 })), (title, message, digits) => {
        let at = 0;
        const other = (words: string) => words.replace(/[1-9]/g, (digit) => String(digits[at++] ?? digit));
        const a = said(1, message, { title });
        const b = said(2, other(message), { title: other(title) });
        fc.pre(repeatKey(a.event) !== undefined && repeatKey(a.event) === repeatKey(b.event));
        expect(lettersOf(a)).toBe(lettersOf(b));
      }),
    );
  });

  it.each([
    ["took 3m20s", "took 45s"],
    ["took 250µs", "took 2h5min"],
    ["at 2:14am", "at 11:59PM"],
    ["Deployed 3f2a91c", "Deployed 90abc12"],
    ["since 2026-11-20", "since 2026-11-20T10:00:00Z"],
    ["at 0x7fff5694", "at 0x1f"],
  ])("have the same letters for %s and %s", (a, b) => {
    expect(repeatKey(said(1, a).event)).toBe(repeatKey(said(1, b).event));
    expect(lettersOf(said(1, a))).toBe(lettersOf(said(1, b)));
  });
});
