import { describe, expect, it } from "vitest";
import { resolveWhen } from "../../../src/contract";

const at = (iso: string) => Date.parse(iso) / 1_000;
const NOW = "2026-11-21T22:30:00.700Z";
const utc = { nowMs: Date.parse(NOW), offsetMinutes: () => 0 };
const berlin = { nowMs: Date.parse(NOW), offsetMinutes: () => 60 };
const samoa = { nowMs: Date.parse(NOW), offsetMinutes: () => 13 * 60 };

/** Central Europe in 2026 is an hour ahead of UTC, and two from 29 March, 01:00 UTC, to 25 October, 01:00 UTC. */
const europe = {
  nowMs: Date.parse(NOW),
  offsetMinutes: (ms: number) =>
    ms >= Date.parse("2026-03-29T01:00Z") && ms < Date.parse("2026-10-25T01:00Z") ? 120 : 60,
};

describe("dates in filters", () => {
  it.each([
    ["30m", "2026-11-21T22:00:00Z"],
    ["2h", "2026-11-21T20:30:00Z"],
    ["3D", "2026-11-18T22:30:00Z"],
    ["1w", "2026-11-14T22:30:00Z"],
    ["today", "2026-11-21T00:00:00Z"],
    ["Yesterday", "2026-11-20T00:00:00Z"],
    ["2026-11-20", "2026-11-20T00:00:00Z"],
    ["2026-11-20T10:00", "2026-11-20T10:00:00Z"],
    ["2026-11-20t10:00:05", "2026-11-20T10:00:05Z"],
    ["2024-02-29", "2024-02-29T00:00:00Z"],
  ])("%s is %s", (written, iso) => {
    expect(resolveWhen(written, utc)).toBe(at(iso));
  });

  it.each([
    "",
    "2h ",
    "h",
    "1.5h",
    "-2h",
    "2y",
    "tomorrow",
    "2026",
    "2026-11",
    "2026-13-01",
    "2026-02-30",
    "2026-11-20T24:01",
    "2026-11-20 10:00",
    "999999d",
  ])("%j is not one", (written) => {
    expect(resolveWhen(written, utc)).toBeUndefined();
  });

  it("begin with the local day", () => {
    expect(resolveWhen("today", berlin)).toBe(at("2026-11-20T23:00:00Z"));
    expect(resolveWhen("today", samoa)).toBe(at("2026-11-21T11:00:00Z"));
    expect(resolveWhen("yesterday", samoa)).toBe(at("2026-11-20T11:00:00Z"));
    expect(resolveWhen("2026-11-20T10:00", berlin)).toBe(at("2026-11-20T09:00:00Z"));
  });

  it("mean the same everywhere with Z", () => {
    expect(resolveWhen("2026-11-20T10:00Z", samoa)).toBe(at("2026-11-20T10:00:00Z"));
  });

  it("hold on both sides of a change of the clocks", () => {
    expect(resolveWhen("2026-03-29", europe)).toBe(at("2026-03-28T23:00:00Z"));
    expect(resolveWhen("2026-03-29T04:00", europe)).toBe(at("2026-03-29T02:00:00Z"));
    expect(resolveWhen("2026-10-25", europe)).toBe(at("2026-10-24T22:00:00Z"));
    expect(resolveWhen("2026-10-25T04:00", europe)).toBe(at("2026-10-25T03:00:00Z"));
    // Clocks show this twice, and skip that.
    expect(resolveWhen("2026-10-25T02:30", europe)).toBe(at("2026-10-25T00:30:00Z"));
    expect(resolveWhen("2026-03-29T02:30", europe)).toBe(at("2026-03-29T01:30:00Z"));
  });
});
