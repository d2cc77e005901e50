import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatSince, parseDuration, parseSince, type Since } from "../../src/protocol";

const NOW = { poll: true, nowS: 1_760_000_000.75 };
const NONE = { kind: "none" };
const ALL = { kind: "all" };
const time = (seconds: number) => ({ kind: "time", time: seconds });

describe("since", () => {
  it.each([
    ["all", ALL],
    ["latest", { kind: "latest" }],
    ["none", NONE],
    ["abcdefghij12", { kind: "id", id: "abcdefghij12" }],
    // The protocol checks for an id before it checks for a number or a duration.
    ["176000000000", { kind: "id", id: "176000000000" }],
    ["1000000000ms", { kind: "id", id: "1000000000ms" }],
    ["0", ALL],
    ["1", NONE],
    ["2", time(2)],
    ["1760000000", time(1_760_000_000)],
    ["1760000000000", time(1_760_000_000_000)],
    ["-5", time(-5)],
    ["+5", time(5)],
    ["9223372036854775807", time(2 ** 63)],
    ["10m", time(1_760_000_000 - 600)],
    ["30s", time(1_760_000_000 - 30)],
    ["1h30m", time(1_760_000_000 - 5_400)],
    ["1.5h", time(1_760_000_000 - 5_400)],
    [".5h", time(1_760_000_000 - 1_800)],
    ["2.s", time(1_760_000_000 - 2)],
    ["500ms", time(1_760_000_000)],
    ["800ms", time(1_759_999_999)],
    ["1h0m0s", time(1_760_000_000 - 3_600)],
    ["5us", time(1_760_000_000)],
    ["5µs", time(1_760_000_000)],
    ["5μs", time(1_760_000_000)],
    ["5ns", time(1_760_000_000)],
    ["-1h", time(1_760_000_000 + 3_600)],
    ["+1h", time(1_760_000_000 - 3_600)],
  ])("reads %j", (text, since) => {
    expect(parseSince(text, NOW)).toEqual(since);
  });

  it.each([
    "1d",
    "abc",
    "1h 30m",
    "10M",
    "ALL",
    "Latest",
    ".",
    ".s",
    "1.",
    "1.5",
    "1.2.3s",
    "h",
    "--1h",
    "1h-30m",
    "9223372036854775808",
    "293y",
    "99999999h",
    "abcdefghij1",
    "abcdefghij123",
    " all",
    "1e3",
    "0x10",
    "1".repeat(60_000),
    `${"1h".repeat(50)}1m`,
  ])("refuses %j", (text) => {
    expect(parseSince(text, NOW)).toBeUndefined();
  });

  it.each([undefined, ""])("without a value (%j) replays all for a poll and nothing for a stream", (text) => {
    expect(parseSince(text, NOW)).toEqual(ALL);
    expect(parseSince(text, { ...NOW, poll: false })).toEqual(NONE);
  });

  it("cuts to whole seconds after the duration is subtracted", () => {
    expect(parseSince("700ms", NOW)).toEqual(time(1_760_000_000));
    expect(parseSince("760ms", NOW)).toEqual(time(1_759_999_999));
  });

  it("reads back what it writes", () => {
    const since = fc.oneof(
      fc.constantFrom<Since>({ kind: "none" }, { kind: "all" }, { kind: "latest" }),
      fc.stringMatching(/^[A-Za-z0-9]{12}$/).map((id): Since => ({ kind: "id", id })),
      fc.integer({ min: 2, max: 9_999_999_999 }).map((seconds): Since => ({ kind: "time", time: seconds })),
    );
    fc.assert(
      fc.property(since, fc.boolean(), (value, poll) => {
        expect(parseSince(formatSince(value), { poll, nowS: 1 })).toEqual(value);
      }),
    );
  });

  it("never writes the time that would be read as nothing", () => {
    expect(formatSince({ kind: "time", time: 1 })).toBe("0");
    expect(formatSince({ kind: "time", time: 1_760_000_000.9 })).toBe("1760000000");
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseSince(text, NOW)));
  });

  it("reads repeated numbers with units as durations, and nothing else", () => {
    const written = fc.string({ unit: fc.constantFrom(..."0159.+-nuµmsh "), maxLength: 12 });
    fc.assert(
      fc.property(written, (text) => {
        const isOne = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h)(?![a-zµ]))+$/.test(text);
        expect(parseDuration(text) !== undefined).toBe(isOne);
      }),
      { numRuns: 2_000 },
    );
  });
});
