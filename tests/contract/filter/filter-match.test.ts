import { describe, expect, it } from "vitest";
import { compileFilter, foldText, parseFilter, timeRangeOf, type FilterRow } from "../../../src/contract";
import type { MessageEvent } from "../../../src/protocol";
import { rowFilter } from "./row-filter";

const NOW_MS = Date.parse("2026-11-21T12:00:00Z");
const options = { nowMs: NOW_MS, offsetMinutes: () => 0 };
const base: MessageEvent = { id: "m1", time: NOW_MS / 1_000 - 60, event: "message", topic: "a", message: "disk full" };

function matches(text: string, event: Partial<MessageEvent> = {}, marks: Partial<FilterRow> = {}): boolean {
  return compileFilter(rowFilter(text), options)({ event: { ...base, ...event }, ...marks });
}

describe("free text", () => {
  it("is found in title, text, tags and the attachment's name, in any case and without accents", () => {
    expect(matches("DISK")).toBe(true);
    expect(matches("isk")).toBe(true);
    expect(matches("uberlauf", { title: "Überlauf" })).toBe(true);
    expect(matches("Überlauf", { title: "uberlauf" })).toBe(true);
    expect(matches("ware", { tags: ["a", "hardware"] })).toBe(true);
    expect(matches("flower", { attachment: { name: "flower.jpg", url: "x" } })).toBe(true);
    expect(matches("flower")).toBe(false);
  });

  it("needs all of its words, or the phrase when quoted", () => {
    expect(matches("full disk")).toBe(true);
    expect(matches('"full disk"')).toBe(false);
    expect(matches('"disk full"')).toBe(true);
    expect(matches("disk -full")).toBe(false);
  });

  it("does not run from one part into the next", () => {
    expect(matches('"up disk"', { title: "backup" })).toBe(false);
  });

  it("is found in base64 of text, but not in other bytes", () => {
    expect(matches("pass", { encoding: "base64", message: "cMOkc3M=" })).toBe(true);
    expect(matches("wD", { encoding: "base64", message: "/wD+gA==" })).toBe(false);
  });
});

describe("fields", () => {
  it("priority is one of a list, and absent is 3", () => {
    expect(matches("priority:3")).toBe(true);
    expect(matches("priority:high,urgent", { priority: 5 })).toBe(true);
    expect(matches("priority:high,urgent", { priority: 3 })).toBe(false);
    expect(matches("-priority:min,low", { priority: 2 })).toBe(false);
  });

  it("tags are all of a list, whole, in any case", () => {
    const tags = ["Disk", "backup"];
    expect(matches("tag:disk,backup", { tags })).toBe(true);
    expect(matches("tag:disk,door", { tags })).toBe(false);
    expect(matches("tag:dis", { tags })).toBe(false);
    expect(matches("tag:disk")).toBe(false);
    expect(matches("-tag:disk")).toBe(true);
  });

  it("a colon contains, an equals sign is the whole value", () => {
    const title = "Nightly Backup";
    expect(matches("title:backup", { title })).toBe(true);
    expect(matches('title="nightly backup"', { title })).toBe(true);
    expect(matches("title=backup", { title })).toBe(false);
    expect(matches("title:x")).toBe(false);
    expect(matches('message="DISK FULL"')).toBe(true);
    expect(matches("message=disk")).toBe(false);
    expect(matches("id=M1")).toBe(true);
    expect(matches("id=m")).toBe(false);
  });

  it("a tilde is the whole value except for amounts, times and ids", () => {
    const title = "Disk 81 % full on nas-1";
    expect(matches('title~"disk 99 % FULL on nas-1"', { title })).toBe(true);
    expect(matches('title~"Disk 81 % full on nas-2"', { title })).toBe(false);
    expect(matches('title~"Disk 81 % full on nas-1, failing"', { title })).toBe(false);
    expect(matches('title~"disk full"')).toBe(false);
    expect(matches('message~"Disk full"')).toBe(true);
    expect(matches('message~"Backup done in 3 min"', { message: "Backup done in 41 min" })).toBe(true);
    expect(matches('message~"Backup done in 3 min"', { message: "Backup done in 41 min, 2 errors" })).toBe(false);
  });

  it("has: tests for parts of a message", () => {
    expect(matches("has:attachment", { attachment: { name: "x", url: "x" } })).toBe(true);
    expect(matches("has:attachment")).toBe(false);
    expect(matches("has:title", { title: "" })).toBe(false);
    expect(matches("has:click", { click: "x" })).toBe(true);
    expect(matches("has:icon", { icon: "x" })).toBe(true);
    expect(matches("has:actions", { actions: [{ action: "teleport" }] })).toBe(false);
    const view = { id: "1", action: "view", label: "x", url: "x" };
    expect(matches("has:actions", { actions: [view] })).toBe(true);
  });

  it("after: includes its moment and before: does not, so that they part the day", () => {
    const midnight = { time: Date.parse("2026-11-20T00:00:00Z") / 1_000 };
    expect(matches("after:2026-11-20", midnight)).toBe(true);
    expect(matches("before:2026-11-20", midnight)).toBe(false);
    expect(matches("before:2026-11-20", { time: midnight.time - 1 })).toBe(true);
    expect(matches("after:2m")).toBe(true);
    expect(matches("after:30m before:1m")).toBe(false);
    expect(matches("-after:today")).toBe(false);
  });
});

describe("marks", () => {
  const marks: [string, Partial<FilterRow>][] = [
    ["read", { readAtMs: 1 }],
    ["done", { doneAtMs: 1 }],
    ["starred", { starred: 1 }],
    ["snoozed", { snoozedUntilMs: NOW_MS + 1 }],
  ];
  it.each(marks)("is:%s", (what, row) => {
    expect(matches(`is:${what}`, {}, row)).toBe(true);
    expect(matches(`is:${what}`)).toBe(false);
    expect(matches(`-is:${what}`, {}, row)).toBe(false);
  });

  it("unread means neither read, done, snoozed, superseded nor scheduled", () => {
    expect(matches("is:unread")).toBe(true);
    expect(matches("is:unread", {}, { starred: 1 })).toBe(true);
    const others: Partial<FilterRow>[] = [
      { readAtMs: 1 },
      { doneAtMs: 1 },
      { snoozedUntilMs: NOW_MS + 1 },
      // Until it is woken.
      { snoozedUntilMs: NOW_MS },
      { supersededBy: "m2" },
      { scheduled: 1 },
    ];
    for (const row of others) expect(matches("is:unread", {}, row)).toBe(false);
  });
});

describe("folding", () => {
  it.each([
    ["ABC", "abc"],
    ["Überlauf Éclair Ångström", "uberlauf eclair angstrom"],
    ["u\u0308", "u"],
    ["İ", "i"],
    ["ΑΘΉΝΑ", "αθηνα"],
    // Signs that turn a letter or vowel into another one are kept.
    ["ไทย हिन्दी", "ไทย हिन्दी"],
    ["💾", "💾"],
  ])("%s is %s", (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe("the span of a filter", () => {
  const range = (text: string) => {
    const filter = parseFilter(text);
    return filter.ok && timeRangeOf(filter.value, options);
  };
  const at = (iso: string) => Date.parse(iso) / 1_000;

  it("is open without dates, and the narrowest with several", () => {
    expect(range("disk")).toEqual({ from: -Infinity, before: Infinity });
    expect(range("after:2026-11-01 after:2026-11-10 before:2026-11-20 before:today")).toEqual({
      from: at("2026-11-10"),
      before: at("2026-11-20"),
    });
  });

  it("is turned round by a minus", () => {
    expect(range("-before:2026-11-01 -after:2026-11-20")).toEqual({ from: at("2026-11-01"), before: at("2026-11-20") });
  });
});
