import type { SubscriptionRecord } from "../../client";
import { isMuted, decodeAlertRules } from "../../contract";
import type { App } from "../state/app.svelte";
import { allMutedUntilMs } from "../state/topics/muted";
import { topicName } from "../state/topics/names";
import { alertRuleStrings, momentWithTime, topicStrings } from "../strings";
import { setAlertRules } from "./set-alert-rules";

/** Mutes a topic until a moment or for good (Infinity), or unmutes it (`null`), with an Undo. Device clock, ms. */
export async function setMute(app: App, subId: number, untilMs: number | null): Promise<void> {
  const subscription = app.catalogue.subscription(subId);
  if (!subscription) return;
  const nowMs = Date.now();
  // Read first, because the change is announced before the command is answered.
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
        ? mute.ended({ topic: name })
        : until === undefined
          ? mute.done({ topic: name })
          : mute.doneUntil({ topic: name, time: momentWithTime(until, nowMs, "within") }),
    undo: () => void app.attempt("patchSubscription", { subId, patch: { mutedUntilMs: before } }),
  });
}

/** Says that everything is muted until a moment, ms; Infinity = without an end. */
export function allMutedText(untilMs: number, nowMs: number): string {
  const strings = alertRuleStrings.muteAll;
  return untilMs === Infinity ? strings.muted : strings.mutedUntil({ time: momentWithTime(untilMs, nowMs, "within") });
}

/** Mutes everything until a moment, device clock, ms; null = unmutes. The user is told, with an Undo. */
export async function muteAll(app: App, untilMs: number | null): Promise<void> {
  const nowMs = Date.now();
  const { mutedUntilMs: before = 0 } = decodeAlertRules(app.catalogue.settings.alertRules);
  if (!(await setAlertRules(app, { mutedUntilMs: untilMs ?? 0 }))) return;
  const strings = alertRuleStrings.muteAll;
  app.notices.show({
    text: untilMs === null ? strings.ended : allMutedText(untilMs, nowMs),
    undo: () => void setAlertRules(app, { mutedUntilMs: before }),
  });
}

/** Unmutes a muted topic; otherwise asks for how long to mute it. */
export async function toggleMute(app: App, { subId, mutedUntilMs }: SubscriptionRecord): Promise<void> {
  if (!isMuted(mutedUntilMs, Date.now())) return app.dialogs.open({ kind: "mute", subId });
  await setMute(app, subId, null);
}

/** Asks how long to mute everything, or unmutes it. */
export async function toggleMuteAll(app: App): Promise<void> {
  if (!isMuted(allMutedUntilMs(app.catalogue.settings.alertRules), Date.now()))
    return app.dialogs.open({ kind: "mute" });
  await muteAll(app, null);
}

/** When an alert tells of a server that can't be reached. */
export function outageAfterText(minutes: number): string {
  const { after, afterHour } = alertRuleStrings.outage;
  return minutes === 60 ? afterHour : after({ count: minutes });
}
