import { expect, test } from "vitest";
import { mutedUntil, muteChoiceOf } from "../../src/ui/topics/mute";

const NOW = new Date(2026, 10, 21, 23, 30).getTime();

test("alerts are muted for an hour, until the next morning, or until turned on again", () => {
  expect(mutedUntil("no", NOW)).toBeNull();
  expect(mutedUntil("hour", NOW)).toBe(new Date(2026, 10, 22, 0, 30).getTime());
  expect(mutedUntil("morning", NOW)).toBe(new Date(2026, 10, 22, 8, 0).getTime());
  expect(mutedUntil("morning", new Date(2026, 10, 21, 3, 0).getTime())).toBe(new Date(2026, 10, 22, 8, 0).getTime());
  expect(mutedUntil("ever", NOW)).toBe(Infinity);
});

test("a moment that is over is no mute, and one on its way stays as it is", () => {
  expect(muteChoiceOf(undefined, NOW)).toBe("no");
  expect(muteChoiceOf(NOW, NOW)).toBe("no");
  expect(muteChoiceOf(NOW + 1, NOW)).toBe("as-is");
  expect(muteChoiceOf(Infinity, NOW)).toBe("ever");
});

test("a week is counted by the calendar", () => {
  expect(new Date(mutedUntil("week", new Date(2026, 2, 27, 14).getTime()) ?? 0)).toEqual(new Date(2026, 3, 3, 14));
});
