import { expect, test } from "vitest";
import { MUTE_LENGTHS, mutedUntil } from "../../src/ui/alerts/mute";

const NOW = new Date(2026, 10, 21, 23, 30).getTime();

test("a topic is muted for some time, until the next morning, or until unmuted", () => {
  expect(mutedUntil(15, NOW)).toBe(new Date(2026, 10, 21, 23, 45).getTime());
  expect(mutedUntil(120, NOW)).toBe(new Date(2026, 10, 22, 1, 30).getTime());
  expect(mutedUntil("morning", NOW)).toBe(new Date(2026, 10, 22, 8, 0).getTime());
  expect(mutedUntil("morning", new Date(2026, 10, 21, 3, 0).getTime())).toBe(new Date(2026, 10, 21, 8, 0).getTime());
  expect(mutedUntil("ever", NOW)).toBe(Infinity);
});

test("the morning that was shown is meant, while it is ahead", () => {
  const at = (hours: number, minutes: number) => new Date(2026, 10, 21, hours, minutes).getTime();
  expect(mutedUntil("morning", at(7, 1), at(6, 59))).toBe(at(8, 0));
  expect(mutedUntil("morning", at(8, 1), at(6, 59))).toBe(at(32, 0));
  expect(mutedUntil(15, at(7, 1), at(6, 59)), "a length counts from the press").toBe(at(7, 16));
});

test("a mute ends with a whole minute, never earlier than asked for", () => {
  expect(mutedUntil(15, NOW + 1)).toBe(NOW + 16 * 60_000);
  for (const length of MUTE_LENGTHS.filter((length) => length !== "ever")) {
    expect(mutedUntil(length, NOW + 20_123) % 60_000, length.toString()).toBe(0);
  }
});
