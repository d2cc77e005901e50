import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFilter, resolveWhen } from "../../src/contract";
import { timeAtEnd, timeOffers } from "../../src/ui/feed/filter/read-time";
import { mayEndInTime } from "../../src/ui/feed/filter/suggest";

/** A Friday. */
const NOW = new Date(2026, 10, 27, 23, 50).getTime();
const local = (ms: number) => {
  const date = new Date(ms);
  const two = (part: number) => String(part).padStart(2, "0");
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return `${two(date.getMonth() + 1)}-${two(date.getDate())}${time === "00:00" ? "" : ` ${time}`}`;
};

describe("a time as people write it", () => {
  it.each([
    ["two weeks ago", "11-13", "11-14"],
    ["last tuesday", "11-24", "11-25"],
    ["yesterday evening", "11-26 17:00", "11-27"],
    ["yesterday", "11-26", "11-27"],
    ["this morning", "11-27 05:00", "11-27 12:00"],
    ["monday", "11-23", "11-24"],
    ["since friday", "11-27", "11-28"],
    ["monday 14:00", "11-23 14:00", "11-23 14:01"],
    ["2 hours ago", "11-27 21:50", "11-27 21:51"],
    ["3 december", "12-03", "12-04"],
    ["last month", "10-01", "11-01"],
    ["last week", "11-16", "11-23"],
    ["this week", "11-23", "11-30"],
    ["letzte Woche", "11-16", "11-23"],
    ["2026-11-20", "11-20", "11-21"],
    ["vor zwei Wochen", "11-13", "11-14"],
    ["letzten Dienstag", "11-24", "11-25"],
    ["letzter Dienstag", "11-24", "11-25"],
    ["gestern Abend", "11-26 17:00", "11-27"],
    ["vorgestern", "11-25", "11-26"],
    ["seit Montag", "11-23", "11-24"],
    ["Montag 14 Uhr", "11-23 14:00", "11-23 14:01"],
    ["im November", "11-01", "12-01"],
  ])("%s", (text, from, to) => {
    const time = timeAtEnd(text, NOW);
    expect(time && [local(time.fromMs), local(time.toMs)]).toEqual([from, to]);
    expect(text.slice(time?.at)).toBe(text.replace("im ", ""));
    expect(mayEndInTime(text), "worth loading").toBe(true);
  });

  it.each(["", "disk", "404", "31.2.2026", "99:99", "2025", "last", "vor", "1.2.3.4", "last tuesday disk"])(
    "%j is none",
    (text) => expect(timeAtEnd(text, NOW)).toBeUndefined(),
  );

  it("is looked for in any text, and never ends before it begins", () => {
    const part = fc.oneof(
      fc.constantFrom("last", "tuesday", "two", "weeks", "ago", "vor", "gestern", "abend", "14:00", "may", "at", '"'),
      fc.string({ unit: "grapheme", maxLength: 9 }),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 9 }),
        fc.date({ noInvalidDate: true, min: new Date(0) }),
        (parts, now) => {
          const text = parts.join(" ");
          const time = timeAtEnd(text, now.getTime());
          if (!time) return;
          expect(time.fromMs).toBeLessThan(time.toMs);
          expect(time.at).toBeLessThan(text.length);
        },
      ),
    );
    expect(timeAtEnd(`${"last ".repeat(40_000)}tuesday`, NOW)).toBeDefined();
  });
});

describe("offers for a time", () => {
  const offered = (draft: string) => timeOffers(draft, NOW).map(({ text, start = 0 }) => draft.slice(0, start) + text);

  it("are since then, during it and before it, in place of the words", () => {
    expect(offered("disk last tuesday")).toEqual([
      "disk after:2026-11-24",
      "disk after:2026-11-24 before:2026-11-25",
      "disk before:2026-11-24",
    ]);
    expect(offered("since yesterday evening")[0]).toBe("after:2026-11-26T17:00");
    expect(offered("5 minutes ago")).toEqual(["after:2026-11-27T23:45", "before:2026-11-27T23:45"]);
    expect(timeOffers("two weeks ago", NOW).map(({ label }) => label)[0]).toMatch(/^since Fri,? (?:13 Nov|Nov 13)/);
  });

  it("are only what a field asks for, unless the field can read it", () => {
    expect(offered("disk after:last tuesday")).toEqual(["disk after:2026-11-24"]);
    expect(offered('-before:"last tuesday"')).toEqual(["-before:2026-11-24"]);
    expect(offered('after:"vor zwei Wochen')).toEqual(["after:2026-11-13"]);
    for (const draft of ["after:yesterday", "before:today", "after:2026-11-20", '"backup last tuesday'])
      expect(offered(draft), draft).toEqual([]);
  });

  it("are filters", () => {
    const words = ["last tuesday", "gestern abend", "two weeks ago", "14:00", "3 december", "last month"];
    fc.assert(
      fc.property(
        fc.constantFrom(...words),
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(2e12) }),
        (text, now) => {
          for (const offer of timeOffers(text, now.getTime())) {
            const read = parseFilter(offer.text);
            const times = read.ok ? read.value.terms.map((term) => ("written" in term ? term.written : "")) : [];
            expect(times.length).toBeGreaterThan(0);
            for (const time of times) expect(resolveWhen(time, { nowMs: 0 })).toBeDefined();
          }
        },
      ),
    );
  });
});
