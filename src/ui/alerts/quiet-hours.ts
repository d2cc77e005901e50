import {
  decodeAlertRules,
  decodeQuietHours,
  MAX_SPANS,
  type QuietHours,
  quietState,
  type QuietSpan,
  WEEKDAYS,
} from "../../contract";
import type { App } from "../state/app.svelte";
import { alertRuleStrings, momentWithTime } from "../strings";
import { setAlertRules } from "./mute";

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

/** Stores the quiet hours of a topic or, without one, those of all others. */
export async function setQuietHours(app: App, quietHours: QuietHours, subId?: number): Promise<void> {
  if (subId !== undefined) await app.attempt("patchSubscription", { subId, patch: { quietHours } });
  else await setAlertRules(app, { quietHours });
}

/** Undoes the removal of a quiet time, and nothing else that has changed since. */
export async function putBack(app: App, at: number, span: QuietSpan, subId?: number): Promise<void> {
  const { settings } = app.catalogue;
  const hours =
    subId === undefined
      ? decodeAlertRules(settings.alertRules).quietHours
      : decodeQuietHours(app.catalogue.subscription(subId)?.quietHours);
  if (!hours || hours.spans.length >= MAX_SPANS) return;
  const spans = [...hours.spans.slice(0, at), span, ...hours.spans.slice(at)];
  await setQuietHours(app, { ...hours, spans }, subId);
}
