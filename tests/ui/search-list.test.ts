import fc from "fast-check";
import { expect, test } from "vitest";
import { findEntries, type FindableEntry } from "../../src/ui/parts/form/search-list";

const entry = (label: string, more: Partial<FindableEntry> = {}): FindableEntry => ({
  key: label,
  label,
  hint: "",
  mark: { icon: "list" },
  ...more,
});
const find = (labels: readonly string[], query: string) =>
  findEntries(
    labels.map((label) => entry(label)),
    query,
  ).map(({ label }) => label);

test("exact names come first, then names that begin so, then words that do, then names that contain it", () => {
  expect(find(["Bookmark", "All marks", "Mark all read", "mark"], "mark")).toEqual([
    "mark",
    "Mark all read",
    "All marks",
    "Bookmark",
  ]);
});

test("words are found in the hint and in further words too, after those in the label", () => {
  const entries = [
    entry("Remove topic", { hint: "backups", also: "unsubscribe" }),
    entry("Mute…", { hint: "backups" }),
    entry("backups"),
  ];
  const labels = (query: string) => findEntries(entries, query).map(({ label }) => label);
  expect(labels("back")).toEqual(["backups", "Remove topic", "Mute…"]);
  expect(labels("back mute")).toEqual(["Mute…"]);
  expect(labels("unsub")).toEqual(["Remove topic"]);
});

test("letters may be left out if nothing has the word as it is", () => {
  const labels = ["Topic settings", "Mark all read", "Starred", "To the newest message"];
  expect(find(labels, "mar")).toEqual(["Mark all read"]);
  expect(find(labels, "mkrd")).toEqual(["Mark all read"]);
  expect(find(labels, "stgs")).toEqual(["Topic settings"]);
  expect(find(labels, "tnm"), "the beginnings of words").toEqual(["To the newest message"]);
  expect(find(labels, "arred"), "within a word").toEqual(["Starred"]);
  expect(find(labels, "xyz")).toEqual([]);
  expect(find(["Bookmarks", "Oak"], "oak"), "whole words need no letters between").toEqual(["Oak"]);
  expect(find(["Bookmarks"], "oks"), "from within a word").toEqual([]);
  expect(find(["Send to all", "Send to the list"], "stl"), "beginnings of words before their middles").toEqual([
    "Send to the list",
    "Send to all",
  ]);
});

const letters = fc.string({ unit: fc.constantFrom(..."ab c"), minLength: 1 });

test("results are entries, each once, with every letter of the query in order", () => {
  fc.assert(
    fc.property(fc.uniqueArray(letters), letters, (labels, query) => {
      const found = find(labels, query);
      expect(new Set(found).size).toBe(found.length);
      const words = query.split(" ").filter(Boolean);
      for (const label of found) {
        expect(labels).toContain(label);
        for (const word of words) expect(label).toMatch(new RegExp([...word].join(".*")));
      }
      const whole = labels.filter((label) => words.every((word) => label.includes(word)));
      for (const label of whole) expect(found, "a word as it stands is always found").toContain(label);
      if (whole.length > 0) expect(found).toHaveLength(whole.length);
    }),
  );
});
