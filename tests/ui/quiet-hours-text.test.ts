import { afterEach, describe, expect, test } from "vitest";
import { type QuietHours, WEEKDAYS } from "../../src/contract";
import { quietHoursText } from "../../src/ui/alerts/quiet-hours";
import { formatFor } from "../../src/ui/strings";
import { weekdays } from "../../src/ui/strings/format";

afterEach(() => formatFor("en-GB"));

const NIGHTS: QuietHours = {
  on: true,
  urgentAlerts: true,
  spans: [{ days: [...WEEKDAYS], from: "22:00", to: "07:00" }],
};

// A Tuesday.
const at = (hour: number) => new Date(2026, 10, 24, hour).getTime();

describe("what quiet hours do now, in words", () => {
  test.each([
    ["none were ever set", undefined, at(23), "Off"],
    ["they are off", { ...NIGHTS, on: false }, at(23), "Off"],
    ["it is night", NIGHTS, at(23), "Quiet until tomorrow 07:00; urgent breaks through"],
    ["it is early", NIGHTS, at(5), "Quiet until 07:00; urgent breaks through"],
    ["nothing breaks through", { ...NIGHTS, urgentAlerts: false }, at(5), "Quiet until 07:00"],
    ["it is day", NIGHTS, at(12), "Not quiet now; quiet from 22:00"],
    [
      "it is far off",
      { ...NIGHTS, spans: [{ days: [6], from: "22:00", to: "07:00" }] },
      at(12),
      "Not quiet now; quiet from Sat 28 Nov 22:00",
    ],
    [
      "they never end",
      { ...NIGHTS, spans: [{ days: [...WEEKDAYS], from: "00:00", to: "00:00" }] },
      at(12),
      "Always quiet; urgent breaks through",
    ],
    [
      "no day is chosen",
      { ...NIGHTS, spans: [{ days: [], from: "22:00", to: "07:00" }] },
      at(12),
      "Never quiet: no day is chosen",
    ],
    ["every time was removed", { ...NIGHTS, spans: [] }, at(12), "Never quiet: no day is chosen"],
  ] as [string, QuietHours | undefined, number, string][])("when %s", (_, hours, nowMs, said) => {
    expect(quietHoursText(hours, nowMs)).toBe(said);
  });
});

test("days of the week have the names and the order of the user's locale", () => {
  expect(weekdays().map(({ short }) => short)).toEqual(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]);
  formatFor("en-US");
  expect(weekdays()[0]).toEqual({ day: 0, short: "Sun", long: "Sunday" });
  formatFor("de");
  expect(weekdays()[6]).toEqual({ day: 0, short: "So", long: "Sonntag" });
});
