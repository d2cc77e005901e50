import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FILTER_FIELDS, formatFilter, parseFilter, type FilterTerm } from "../../../src/contract";
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
    ['title~"Disk 81 % full"', [{ ...no, kind: "like", field: "title", text: "Disk 81 % full" }]],
    ["-Message~x", [{ not: true, kind: "like", field: "message", text: "x" }]],
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
    ...[
      "http://x/y",
      "HTTPS://x",
      "12:30",
      "localhost:8080",
      "nas:5000/login",
      "std::vector",
      "C:\\x",
      ":smile:",
      "::1",
      "a:b",
      "mailto:me@x.example",
      "tel:+491234",
      "nas:80",
      "x.y:z",
      "foo=bar",
      "load>=5",
    ].map((text): [string, FilterTerm[]] => [text, [{ ...no, kind: "text", text }]]),
    ['"prio:4"', [{ ...no, kind: "text", text: "prio:4" }]],
    ['-"prio:4"', [{ kind: "text", text: "prio:4", not: true }]],
    // Text that only looks like a field stays text.
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
    ["priority>5", { at: 9, length: 1, reason: "no-priority" }],
    ["priority<min", { at: 9, length: 3, reason: "no-priority" }],
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

  it("writes anything it could read in one way, and never throws", () => {
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

  const name = fc
    .string({ unit: fc.constantFrom(..."abcdeghiprstuy_-äßж"), minLength: 2, maxLength: 10 })
    .filter((text) => /^\p{L}/u.test(text) && !Object.hasOwn(FILTER_FIELDS, text.toLowerCase()));

  it("takes a name that is no field as text", () => {
    fc.assert(
      fc.property(name, fc.boolean(), fc.constantFrom("", "x", "high,low", "-", "=3"), (other, not, value) => {
        const terms = [{ kind: "text", text: `${other}:${value}`, not }];
        expect(parseFilter(`${not ? "-" : ""}${other}:${value}`)).toEqual({ ok: true, value: { terms } });
      }),
    );
  });

  it("reads a field with a sign that it doesn't take as text, and never as another filter", () => {
    const fields = fc.constantFrom(...Object.keys(FILTER_FIELDS).filter((field) => field !== "priority"));
    fc.assert(
      fc.property(fields, fc.constantFrom("<", ">", "<=", ">=", "!=", "~", "<>"), (field, sign) => {
        fc.pre(sign !== "~" || (field !== "title" && field !== "message"));
        const text = `${field}${sign}x`;
        expect(parseFilter(text)).toEqual({ ok: true, value: { terms: [{ kind: "text", text, not: false }] } });
      }),
    );
    for (const sign of [":", "=", ">", ">=", "<", "<="]) {
      for (const value of ["", "9", "-1", "loud", '""', "hihg,low"])
        expect(parseFilter(`priority${sign}${value}`).ok, `priority${sign}${value}`).toBe(false);
    }
  });

  it("copes with long hostile input", () => {
    expect(parseFilter('"'.repeat(16_001)).ok).toBe(false);
    expect(parseFilter(`"${"\\".repeat(16_000)}`).ok).toBe(false);
    expect(parseFilter(`tag:${",".repeat(16_000)}a`).ok).toBe(true);
    expect(parseFilter(`topic:${",".repeat(16_000)}a`).ok).toBe(true);
    expect(parseFilter(`${"a-".repeat(8_000)}:`).ok).toBe(true);
    expect(parseFilter("a-".repeat(8_000)).ok).toBe(true);
  });
});
