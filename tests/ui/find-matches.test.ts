import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText } from "../../src/contract";
import { findMatches } from "../../src/ui/message/body/mark-matches";

const marked = (text: string, ...wanted: string[]) =>
  findMatches(text, wanted.map(foldText), 100).map(([start, end]) => text.slice(start, end));

describe("findMatches", () => {
  it.each([
    ["Backup of the backups", ["backup"], ["Backup", "backup"]],
    ["Résumé of résumés", ["resume"], ["Résumé", "résumé"]],
    ["Re\u0301sume\u0301!", ["resume"], ["Re\u0301sume\u0301"]],
    ["Ὀδυσσεύς", ["οδυσσευσ"], ["Ὀδυσσεύς"]],
    ["İstanbul", ["istanbul"], ["İstanbul"]],
    ["💾 disk 💾", ["💾"], ["💾", "💾"]],
    ["diskdisk", ["disk"], ["diskdisk"]],
    ["disk full", ["disk", "full", "sk fu"], ["disk full"]],
    ["nothing", ["disk"], []],
  ])("in %j for %j", (text, wanted, found) => expect(marked(text, ...wanted)).toEqual(found));

  it("finds no more matches than it is asked for", () => {
    expect(findMatches("a b ".repeat(1000), ["a", "b"], 5)).toHaveLength(5);
  });

  it("gives spans that are in order, don't overlap, and fold to the wanted text", () => {
    const text = fc.string({ unit: fc.constantFrom(..."aáAbßσςΣİ e\u0301💾") });
    fc.assert(
      fc.property(text, text, (whole, part) => {
        const wanted = foldText(part);
        fc.pre(wanted !== "");
        const spans = findMatches(whole, [wanted], 1000);
        expect(spans.length > 0).toBe(foldText(whole).includes(wanted));
        let behind = -1;
        for (const [start, end] of spans) {
          expect(start).toBeGreaterThan(behind);
          expect(foldText(whole.slice(start, end))).toContain(wanted);
          behind = end;
        }
      }),
    );
  });
});
