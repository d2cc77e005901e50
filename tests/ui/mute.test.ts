import { expect, test } from "vitest";
import { MUTE_LENGTHS, mutedUntil, muteChoiceOf } from "../../src/ui/alerts/mute";

const NOW = new Date(2026, 10, 21, 23, 30).getTime();

test("a topic is muted for some hours, until the next morning, or until unmuted", () => {
  expect(mutedUntil("no", NOW)).toBeNull();
  expect(mutedUntil("half", NOW)).toBe(new Date(2026, 10, 22, 0, 0).getTime());
  expect(mutedUntil("hour", NOW)).toBe(new Date(2026, 10, 22, 0, 30).getTime());
  expect(mutedUntil("two", NOW)).toBe(new Date(2026, 10, 22, 1, 30).getTime());
  expect(mutedUntil("eight", NOW)).toBe(new Date(2026, 10, 22, 7, 30).getTime());
  expect(mutedUntil("morning", NOW)).toBe(new Date(2026, 10, 22, 8, 0).getTime());
  expect(mutedUntil("morning", new Date(2026, 10, 21, 3, 0).getTime())).toBe(new Date(2026, 10, 22, 8, 0).getTime());
  expect(mutedUntil("ever", NOW)).toBe(Infinity);
});

test("a mute ends with a whole minute, never earlier than asked for", () => {
  expect(mutedUntil("half", NOW + 1)).toBe(NOW + 31 * 60_000);
  for (const length of MUTE_LENGTHS.filter((length) => length !== "ever")) {
    expect((mutedUntil(length, NOW + 20_123) ?? 1) % 60_000, length).toBe(0);
  }
});

test("a past moment is no mute, and a running mute stays as it is", () => {
  expect(muteChoiceOf(undefined, NOW)).toBe("no");
  expect(muteChoiceOf(NOW, NOW)).toBe("no");
  expect(muteChoiceOf(NOW + 1, NOW)).toBe("as-is");
  expect(muteChoiceOf(Infinity, NOW)).toBe("ever");
});
