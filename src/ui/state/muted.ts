import type { AlertRules } from "../../contract";
import { momentWithTime, appStrings } from "../strings";

/** Whether a topic is muted now. Muting ends by itself. Device clock, ms. */
export function isMuted(mutedUntilMs: number | undefined, nowMs: number): mutedUntilMs is number {
  return mutedUntilMs !== undefined && mutedUntilMs > nowMs;
}

/** "Muted", with its end if it has one. Device clock, ms. */
export function mutedText(mutedUntilMs: number | undefined, nowMs: number): string {
  if (mutedUntilMs === undefined || mutedUntilMs === Infinity) return appStrings.shell.muted;
  return appStrings.shell.mutedUntil(momentWithTime(mutedUntilMs, nowMs, "within"));
}

/**
 * Until when everything is muted, device clock, ms; undefined = it isn't. What is stored may be anything; this reads it
 * apart from `decodeAlertRules`, whose code workers share with parts that the page loads later.
 */
export function allMutedUntilMs(rules: AlertRules | null | undefined): number | undefined {
  const untilMs: unknown = rules?.mutedUntilMs;
  return typeof untilMs === "number" ? untilMs : undefined;
}
