import type { AlertRules } from "../../../contract";
import { appStrings, momentWithTime } from "../../strings";

/** "Muted", with its end if it has one. Device clock, ms. */
export function mutedText(mutedUntilMs: number | undefined, nowMs: number): string {
  if (mutedUntilMs === undefined || mutedUntilMs === Infinity) return appStrings.shell.muted;
  return appStrings.shell.mutedUntil({ time: momentWithTime(mutedUntilMs, nowMs, "within") });
}

/**
 * Until when everything is muted, device clock, ms; undefined = it isn't. Any stored value is accepted; this is
 * separate from `decodeAlertRules`, whose code loads later.
 */
export function allMutedUntilMs(rules: AlertRules | null | undefined): number | undefined {
  const untilMs: unknown = rules?.mutedUntilMs;
  return typeof untilMs === "number" ? untilMs : undefined;
}
