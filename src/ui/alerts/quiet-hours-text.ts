import { type QuietHours, quietState } from "../../contract";
import { momentWithTime } from "../strings";
import { alertRuleStrings } from "../strings/alert-rules";

/** What quiet hours do now, in one line. Device clock, ms. */
export function quietHoursText(hours: QuietHours | undefined, nowMs: number): string {
  const strings = alertRuleStrings.quiet;
  if (!hours?.on) return strings.off;
  const state = quietState(hours, nowMs);
  const said = (ms: number) => (ms === Infinity ? undefined : momentWithTime(ms, nowMs, "within"));
  switch (state.kind) {
    case "never":
      return strings.never;
    case "quiet":
      return strings.now(said(state.untilMs), hours.urgentAlerts);
    case "ahead":
      return strings.ahead(momentWithTime(state.fromMs, nowMs, "within"));
  }
}
