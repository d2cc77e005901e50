import { isMuted } from "../../contract";
import { dateOf } from "../strings/dates";

/** How long a topic can be muted; any other moment can be picked. */
export const MUTE_LENGTHS = ["half", "hour", "two", "eight", "morning", "ever"] as const;

export type MuteLength = (typeof MUTE_LENGTHS)[number];

/** A choice in the settings: a length, no mute, or the current mute, which hasn't ended. */
export type MuteChoice = MuteLength | "no" | "as-is";

const MINUTE_MS = 60_000;

/** Lengths that are counted by the clock, minutes. */
const MINUTES: Partial<Record<MuteLength, number>> = { half: 30, hour: 60, two: 120, eight: 480 };

/** When people begin to look at their messages, hours of the device's clock. */
const MORNING = 8;

/** What is stored for a choice: device clock, ms; `null` for not muted. It ends on a whole minute, as the words say. */
export function mutedUntil(choice: Exclude<MuteChoice, "as-is">, nowMs: number): number | null {
  if (choice === "no") return null;
  if (choice === "ever") return Infinity;
  const minutes = MINUTES[choice];
  if (minutes !== undefined) return Math.ceil(nowMs / MINUTE_MS + minutes) * MINUTE_MS;
  const morning = dateOf(nowMs);
  morning.setDate(morning.getDate() + 1);
  return morning.setHours(MORNING, 0, 0, 0);
}

/** The choice that matches the stored value. */
export function muteChoiceOf(mutedUntilMs: number | undefined, nowMs: number): MuteChoice {
  if (!isMuted(mutedUntilMs, nowMs)) return "no";
  return mutedUntilMs === Infinity ? "ever" : "as-is";
}
