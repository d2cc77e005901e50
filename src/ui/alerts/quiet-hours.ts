import { type QuietHours, quietState, type QuietSpan, WEEKDAYS } from "../../contract";
import { alertRuleStrings, momentWithTime } from "../strings";

/** What quiet hours currently do, in one line. Device clock, ms. */
export function quietHoursText(hours: QuietHours | undefined, nowMs: number): string {
  const strings = alertRuleStrings.quiet;
  if (!hours?.on) return strings.off;
  const state = quietState(hours, nowMs);
  switch (state.kind) {
    case "never":
      return strings.never;
    case "quiet":
      if (state.untilMs === Infinity) return hours.urgentAlerts ? strings.now.alwaysButUrgent : strings.now.always;
      return (hours.urgentAlerts ? strings.now.untilButUrgent : strings.now.until)({
        time: momentWithTime(state.untilMs, nowMs, "within"),
      });
    case "ahead":
      return strings.ahead({ from: momentWithTime(state.fromMs, nowMs, "within") });
  }
}

/** A quiet time to start with. */
export const NIGHT: Readonly<QuietSpan> = { days: [...WEEKDAYS], from: "22:00", to: "07:00" };

/** Quiet hours when turned on for the first time. */
export const NEW_QUIET_HOURS: Readonly<QuietHours> = { on: true, spans: [NIGHT], urgentAlerts: true };
