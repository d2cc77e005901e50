import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFilter, parseFilter, type Filter } from "../../src/contract";
import { editsBetween, nearest, nearMisses, wordCounts } from "../../src/ui/feed/filter/near-miss";

function filterOf(text: string): Filter {
  const read = parseFilter(text);
  if (!read.ok) throw new Error(text);
  return read.value;
}

const known = wordCounts(["Backup of the photos done", "Backup failed", "Buckle up", "Größe der Datei"]);
const topics = [
  ["Sicherungen", "nas-backups"],
  ["door", "door"],
] as const;
const meant = (text: string, places: typeof topics | [] = []) =>
  nearMisses(filterOf(text), known, places).map(formatFilter);

const word = fc.stringMatching(/^[a-d]{0,7}$/);

describe("a search that finds nothing", () => {
  it.each([
    ["bakup", ["backup"]],
    ["bakcup", ["backup"]],
    ["BAKUP failed", ["backup failed"]],
    ["tag:nas bakup -photo", ["tag:nas -photo backup"]],
    ['"bakup faild"', ['"backup failed"']],
    ["grosse", ["große"]],
    ["phoots of", ["photos of"]],
    ["doen", ["done"]],
  ])("for %j may mean %j", (text, filters) => expect(meant(text)).toEqual(filters));

  it.each(["backup", "ackup", "xyzzy", "the", "teh", "tag:bakup", "-bakup", "is:unread", ""])(
    "means nothing else with words that are known, too short or unlike any: %j",
    (text) => expect(meant(text)).toEqual([]),
  );

  it("may mean a topic, by either of its names, whole, in part or nearly", () => {
    for (const text of ["sicher", "nas-backup", "nas", "sicherunge", "sicherugnen"])
      expect(meant(`is:unread ${text}`, topics), text).toContain("is:unread topic:Sicherungen");
    expect(meant("door", topics)).toEqual(["topic:door"]);
    expect(meant("is:unread", topics)).toEqual([]);
  });
});

describe("the number of edits between two words", () => {
  it("is a metric, and one for each kind of edit", () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editsBetween(a, b)).toBe(editsBetween(b, a));
        expect(editsBetween(a, b) === 0).toBe(a === b);
        expect(editsBetween(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(editsBetween(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
    fc.assert(
      fc.property(word, word, fc.constantFrom("a", "b"), fc.constantFrom("c", "d"), (head, tail, x, y) => {
        const one = head + x + tail;
        expect(editsBetween(one, head + tail)).toBe(1);
        expect(editsBetween(one, head + y + tail)).toBe(1);
        expect(editsBetween(head + x + y + tail, head + y + x + tail)).toBe(1);
      }),
    );
  });

  it("leaves no nearer word than the one that is found", () => {
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 8 }), (typed, words) => {
        const found = nearest(typed, wordCounts(words));
        const least = Math.min(...words.filter(Boolean).map((other) => editsBetween(typed, other)));
        const most = typed.length < 4 ? 0 : typed.length < 6 ? 1 : 2;
        expect(found === undefined ? undefined : editsBetween(typed, found)).toBe(least <= most ? least : undefined);
      }),
    );
  });

  it("prefers the word that occurs more often", () => {
    expect(nearest("backpu", wordCounts(["backup", "backpus backpus"]))).toBe("backpus");
    expect(nearest("disc", wordCounts(["disk disk", "dish"]))).toBe("disk");
  });
});
