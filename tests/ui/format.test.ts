import { describe, expect, test } from "vitest";
import {
  ago,
  appStrings,
  bytes,
  count,
  day,
  duration,
  exact,
  list,
  moment,
  momentWithTime,
  roughlyAgo,
  stateStrings,
} from "../../src/ui/strings";

const NOW = new Date(2026, 10, 21, 14, 30).getTime();
const at = (month: number, date: number, hour: number, minute: number, year = 2026) =>
  new Date(year, month - 1, date, hour, minute).getTime();

describe("moments", () => {
  test.each([
    ["today by its time", at(11, 21, 2, 14), "02:14"],
    ["yesterday by name and time", at(11, 20, 23, 47), "Yesterday 23:47"],
    ["yesterday is a calendar day, not 24 hours", at(11, 20, 0, 1), "Yesterday 00:01"],
    ["tomorrow, for what is scheduled", at(11, 22, 8, 0), "Tomorrow 08:00"],
    ["this year by weekday and date", at(11, 19, 9, 0), "Thu 19 Nov"],
    ["another year with the year", at(11, 19, 9, 0, 2025), "19 Nov 2025"],
  ])("%s", (_name, ms, said) => expect(moment(ms, NOW)).toBe(said));

  test("with the time where the moment matters", () => {
    expect(momentWithTime(at(11, 16, 8, 2), NOW)).toBe("Mon 16 Nov 08:02");
    expect(momentWithTime(at(11, 20, 23, 47), NOW)).toBe("Yesterday 23:47");
  });

  test("within a sentence words such as today have no capital, and weekdays keep theirs", () => {
    expect(moment(at(11, 22, 8, 0), NOW, "within")).toBe("tomorrow 08:00");
    expect(momentWithTime(at(11, 20, 23, 47), NOW, "within")).toBe("yesterday 23:47");
    expect(momentWithTime(at(11, 16, 8, 2), NOW, "within")).toBe("Mon 16 Nov 08:02");
  });

  test("exactly, to the second", () => {
    expect(exact(at(11, 21, 2, 14) + 7000)).toBe("Sat 21 Nov 2026, 02:14:07");
  });
});

test('minutes ago stay the same within a minute, and times ahead of the clock are "now"', () => {
  expect(roughlyAgo(-30_000)).toBe("now");
  expect(roughlyAgo(59_000)).toBe("now");
  expect(roughlyAgo(61_000)).toBe("1 min ago");
  expect(roughlyAgo(50 * 3_600_000)).toBe("2 days ago");
});

test("headings of days", () => {
  expect(day(at(11, 21, 0, 0), NOW)).toBe("Today");
  expect(day(at(11, 20, 23, 59), NOW)).toBe("Yesterday");
  expect(day(at(11, 19, 12, 0), NOW)).toBe("Thursday 19 November");
  expect(day(at(12, 31, 12, 0, 2025), NOW)).toBe("Wednesday 31 December 2025");
});

test("lengths of time in their two largest units", () => {
  expect(duration(12_000)).toBe("12 s");
  expect(duration(-5)).toBe("0 s");
  expect(duration(20 * 60_000)).toBe("20 min");
  expect(duration((6 * 60 + 12) * 60_000)).toBe("6 h 12 min");
  expect(duration(12 * 3_600_000)).toBe("12 h");
  expect(duration(24 * 3_600_000)).toBe("1 day");
  expect(duration(50 * 3_600_000)).toBe("2 days 2 h");
});

test("how long ago in one unit", () => {
  expect(ago(400)).toBe("now");
  expect(ago(3000)).toBe("3 s ago");
  expect(ago(4.9 * 60_000)).toBe("4 min ago");
  expect(ago(90 * 60_000)).toBe("1 h ago");
  expect(ago(50 * 3_600_000)).toBe("2 days ago");
});

test("a last contact within a minute has one wording, so that the text stays still while a server is heard", () => {
  const lastContact = (ms: number) => stateStrings.lastContact({ ago: roughlyAgo(ms, stateStrings.justNow) });
  const within = [0, 400, 12_000, 59_999].map(lastContact);
  expect(new Set(within)).toEqual(new Set(["last contact just now"]));
  expect(lastContact(60_000)).toBe("last contact 1 min ago");
});

test("numbers have separated thousands and the right form of their unit", () => {
  expect(count(102_418)).toBe("102,418");
  expect([1, 0].map((count) => appStrings.common.messages({ count }))).toEqual(["1 message", "0 messages"]);
});

test("bytes in the unit that fits", () => {
  expect(bytes(1)).toBe("1 byte");
  expect(bytes(999)).toBe("999 bytes");
  expect(bytes(284_000)).toBe("284 kB");
  expect(bytes(10_700_000_000)).toBe("10.7 GB");
  expect(bytes(5e15)).toBe("5,000 TB");
});

test("lists as people say them", () => {
  expect(list(["a"])).toBe("a");
  expect(list(["a", "b", "c"])).toBe("a, b and c");
});
