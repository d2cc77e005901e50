import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFilter, holdsTerm, parseFilter, toggleTerm, type Filter, type FilterTerm } from "../../../src/contract";
import { anyFilter } from "./arbitrary-filter";

function read(text: string): Filter {
  const filter = parseFilter(text);
  if (!filter.ok) throw new Error(filter.error.reason);
  return filter.value;
}

function onlyTerm(text: string): FilterTerm {
  const [term] = read(text).terms;
  if (!term) throw new Error("no term");
  return term;
}

describe("a press on a chip", () => {
  it.each([
    ["", "tag:disk", "tag:disk"],
    ["tag:disk", "tag:disk", ""],
    ["tag:a", "tag:b", "tag:a tag:b"],
    ["tag:a,b x", "tag:b", "tag:a x"],
    ["-tag:a x", "tag:a", "x tag:a"],
    ["tag:a,b", "-tag:a", "tag:b -tag:a"],
    ["-tag:a,b", "-tag:a", "-tag:a,b -tag:a"],
    ["x", "priority:high", "x priority:high"],
    ["priority:urgent x", "priority:high", "priority:high,urgent x"],
    ["priority:high,urgent x", "priority:high", "priority:urgent x"],
    ["priority:high x", "priority:high", "x"],
    ["priority:urgent", "priority:high,urgent", "priority:high,urgent"],
    ["priority:high,urgent", "priority:urgent,high", ""],
    ["-priority:low", "priority:low", "priority:low"],
    ["topic:a x", "topic:b", "topic:a,b x"],
    ["topic:a,b x", "topic:a", "topic:b x"],
    ["server:a group:b", "group:c", "server:a group:b,c"],
    ["-topic:a", "topic:b", "-topic:a topic:b"],
    ["is:unread", "is:starred", "is:unread is:starred"],
    ["is:unread", "is:unread", ""],
    ["-is:unread", "is:unread", "is:unread"],
    ['title="x"', "title:x", 'title="x" title:x'],
  ])("turns %j by %j into %j", (before, term, after) => {
    expect(formatFilter(toggleTerm(read(before), onlyTerm(term)))).toBe(after);
  });

  it("always changes whether the filter asks for it", () => {
    fc.assert(
      fc.property(anyFilter, anyFilter, (filter, { terms: [term] }) => {
        fc.pre(term !== undefined);
        const toggled = toggleTerm(filter, term);
        expect(holdsTerm(toggled, term)).toBe(!holdsTerm(filter, term));
        expect(holdsTerm(toggled, { ...term, not: !term.not })).toBe(
          holdsTerm(filter, term) && holdsTerm(filter, { ...term, not: !term.not }),
        );
      }),
    );
  });
});
