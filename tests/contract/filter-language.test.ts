import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFilter, parseFilter, type FilterTerm } from "../../src/contract";
import { anyFilter } from "./arbitrary-filter";

const no = { not: false } as const;

describe("the filter language", () => {
  it.each<[string, FilterTerm[]]>([
    ["", []],
    ["   ", []],
    ["priority:high,urgent", [{ ...no, kind: "priority", values: [4, 5] }]],
    ["Priority:5,LOW", [{ ...no, kind: "priority", values: [5, 2] }]],
    ["priority=4", [{ ...no, kind: "priority", values: [4] }]],
    ["priority>=4", [{ ...no, kind: "priority", values: [4, 5] }]],
    ["Priority>high", [{ ...no, kind: "priority", values: [5] }]],
    ["priority<3", [{ ...no, kind: "priority", values: [1, 2] }]],
    ["-priority<=low", [{ kind: "priority", values: [1, 2], not: true }]],
    [
      "has:action has:link",
      [
        { ...no, kind: "has", what: "actions" },
        { ...no, kind: "has", what: "click" },
      ],
    ],
    ['"priority>=4"', [{ ...no, kind: "text", text: "priority>=4" }]],
    ["tag:a,b", [{ ...no, kind: "tags", values: ["a", "b"] }]],
    ["topic:a,b", [{ ...no, kind: "topic", values: ["a", "b"] }]],
    ['-Server="ntfy sh"', [{ kind: "server", values: ["ntfy sh"], not: true }]],
    ['group:"Front door",x', [{ ...no, kind: "group", values: ["Front door", "x"] }]],
    ['"topic:a"', [{ ...no, kind: "text", text: "topic:a" }]],
    ["tags:a,", [{ ...no, kind: "tags", values: ["a"] }]],
    ['tag:"a b","c,d",e', [{ ...no, kind: "tags", values: ["a b", "c,d", "e"] }]],
    ["title:x", [{ ...no, kind: "contains", field: "title", text: "x" }]],
    ['title:"disk full"', [{ ...no, kind: "contains", field: "title", text: "disk full" }]],
    ['title="Disk full"', [{ ...no, kind: "equals", field: "title", text: "Disk full" }]],
    ["message=x", [{ ...no, kind: "equals", field: "message", text: "x" }]],
    ['message:"say \\"hi\\" \\\\ "', [{ ...no, kind: "contains", field: "message", text: 'say "hi" \\ ' }]],
    ['id="x"', [{ ...no, kind: "equals", field: "id", text: "x" }]],
    ["id:x", [{ ...no, kind: "equals", field: "id", text: "x" }]],
    ["is:Unread", [{ ...no, kind: "is", what: "unread" }]],
    ["-is:starred", [{ not: true, kind: "is", what: "starred" }]],
    ["has:attachment", [{ ...no, kind: "has", what: "attachment" }]],
    ["after:2026-11-20", [{ ...no, kind: "after", written: "2026-11-20" }]],
    ["before:2h", [{ ...no, kind: "before", written: "2h" }]],
    ["disk", [{ ...no, kind: "text", text: "disk" }]],
    [
      '"disk full" -done',
      [
        { ...no, kind: "text", text: "disk full" },
        { not: true, kind: "text", text: "done" },
      ],
    ],
    // What only looks like a field is text.
    [
      "https://x/y 12:30",
      [
        { ...no, kind: "text", text: "https://x/y" },
        { ...no, kind: "text", text: "12:30" },
      ],
    ],
    [
      '"tag:a" -"is:read"',
      [
        { ...no, kind: "text", text: "tag:a" },
        { not: true, kind: "text", text: "is:read" },
      ],
    ],
    ['5"disk', [{ ...no, kind: "text", text: '5"disk' }]],
    ["-", [{ ...no, kind: "text", text: "-" }]],
    ["--x", [{ not: true, kind: "text", text: "-x" }]],
    ['""', []],
    [
      '"a"b',
      [
        { ...no, kind: "text", text: "a" },
        { ...no, kind: "text", text: "b" },
      ],
    ],
  ])("reads %j", (text, terms) => {
    expect(parseFilter(text)).toEqual({ ok: true, value: { terms } });
  });

  it.each([
    ["tag:", { at: 4, length: 0, reason: "empty-value" }],
    ["topic:", { at: 6, length: 0, reason: "empty-value" }],
    ['group:"a', { at: 6, length: 2, reason: "unclosed-quote" }],
    ["x title: y", { at: 8, length: 0, reason: "empty-value" }],
    ['title=""', { at: 6, length: 2, reason: "empty-value" }],
    ["tag:,,", { at: 4, length: 2, reason: "empty-value" }],
    ['x "disk full', { at: 2, length: 10, reason: "unclosed-quote" }],
    ['tag:a,"b', { at: 6, length: 2, reason: "unclosed-quote" }],
    ['"a\\"', { at: 0, length: 4, reason: "unclosed-quote" }],
    ["priority:high,hihg", { at: 14, length: 4, reason: "bad-priority" }],
    ["has:constructor", { at: 4, length: 11, reason: "unknown-value" }],
    ["priority>5", { at: 9, length: 1, reason: "bad-priority" }],
    ["priority>=", { at: 10, length: 0, reason: "empty-value" }],
    ["priority>=soon", { at: 10, length: 4, reason: "bad-priority" }],
    ["priority:0", { at: 9, length: 1, reason: "bad-priority" }],
    ["is:gone", { at: 3, length: 4, reason: "unknown-value" }],
    ["-has:legs", { at: 5, length: 4, reason: "unknown-value" }],
    ["after:soon", { at: 6, length: 4, reason: "bad-date" }],
    ["before:2026-02-30", { at: 7, length: 10, reason: "bad-date" }],
  ])("points at what is wrong in %j", (text, error) => {
    expect(parseFilter(text)).toEqual({ ok: false, error });
  });

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        expect(parseFilter(formatFilter(filter))).toEqual({ ok: true, value: filter });
      }),
      { numRuns: 2_000 },
    );
  });

  it("writes anything it could read in one way, and throws at nothing", () => {
    const unit = fc.constantFrom(
      "a",
      "tag:",
      "priority:",
      "high",
      "title=",
      "is:",
      '"',
      "\\",
      "-",
      ",",
      " ",
      "ü",
      "after:",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const parsed = parseFilter(text);
        if (parsed.ok) expect(parseFilter(formatFilter(parsed.value))).toEqual(parsed);
        else expect(parsed.error.at + parsed.error.length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it("copes with long hostile input", () => {
    expect(parseFilter('"'.repeat(16_001)).ok).toBe(false);
    expect(parseFilter(`"${"\\".repeat(16_000)}`).ok).toBe(false);
    expect(parseFilter(`tag:${",".repeat(16_000)}a`).ok).toBe(true);
  });
});
