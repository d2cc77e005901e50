import { dateOf } from "../strings/dates";

/** How long a topic's alerts can be muted. */
export const MUTE_CHOICES = ["no", "hour", "morning", "week", "ever"] as const;

/** A choice; `as-is` keeps the stored moment until which the topic is muted. */
export type MuteChoice = (typeof MUTE_CHOICES)[number] | "as-is";

const HOUR_MS = 3_600_000;

/** When people begin to look at their messages, hours of the device's clock. */
const MORNING = 8;

/** What is stored for a choice: device clock, ms; `null` for not muted. */
export function mutedUntil(choice: Exclude<MuteChoice, "as-is">, nowMs: number): number | null {
  switch (choice) {
    case "no":
      return null;
    case "hour":
      return nowMs + HOUR_MS;
    case "morning": {
      const morning = dateOf(nowMs);
      morning.setDate(morning.getDate() + 1);
      return morning.setHours(MORNING, 0, 0, 0);
    }
    case "week": {
      // Counted by the calendar, so that a change of the clock does not matter.
      const then = dateOf(nowMs);
      return then.setDate(then.getDate() + 7);
    }
    case "ever":
      return Infinity;
  }
}

/** The choice that matches the stored value. */
export function muteChoiceOf(mutedUntilMs: number | undefined, nowMs: number): MuteChoice {
  if (mutedUntilMs === undefined || mutedUntilMs <= nowMs) return "no";
  return mutedUntilMs === Infinity ? "ever" : "as-is";
}
