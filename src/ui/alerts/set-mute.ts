import { decodeAlertRules } from "../../contract";
import type { App } from "../state/app.svelte";
import { isMuted } from "../state/muted";
import { topicName } from "../state/names";
import { momentWithTime } from "../strings";
import { alertRuleStrings } from "../strings/alert-rules";
import { topicStrings } from "../strings/topics";
import { setAlertRules } from "./set-alert-rules";

/** Mutes a topic until a moment, or for good (Infinity), or unmutes it (`null`), which can be undone. Device clock, ms. */
export async function setMute(app: App, subId: number, untilMs: number | null): Promise<void> {
  const subscription = app.catalogue.subscription(subId);
  if (!subscription) return;
  const nowMs = Date.now();
  // Read first, as the change is announced before the command is answered.
  const { mutedUntilMs } = subscription;
  const before = isMuted(mutedUntilMs, nowMs) ? mutedUntilMs : null;
  const done = await app.attempt("patchSubscription", { subId, patch: { mutedUntilMs: untilMs } });
  if (!done) return;
  const { mute } = topicStrings;
  const name = topicName(subscription);
  const until = untilMs === Infinity ? undefined : untilMs;
  app.notices.show({
    text:
      until === null
        ? mute.ended(name)
        : mute.done(name, until === undefined ? undefined : momentWithTime(until, nowMs, "within")),
    undo: () => void app.attempt("patchSubscription", { subId, patch: { mutedUntilMs: before } }),
  });
}

/** Mutes everything until a moment, device clock, ms; null = unmutes it. The user is told, with an Undo. */
export async function muteAll(app: App, untilMs: number | null): Promise<void> {
  const nowMs = Date.now();
  const { mutedUntilMs: before = 0 } = decodeAlertRules(app.catalogue.settings.alertRules);
  if (!(await setAlertRules(app, { mutedUntilMs: untilMs ?? 0 }))) return;
  const strings = alertRuleStrings.muteAll;
  const until = untilMs === null || untilMs === Infinity ? undefined : momentWithTime(untilMs, nowMs, "within");
  app.notices.show({
    text: untilMs === null ? strings.ended : strings.muted(until),
    undo: () => void setAlertRules(app, { mutedUntilMs: before }),
  });
}
