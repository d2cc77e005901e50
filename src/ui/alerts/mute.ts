import { isMuted, decodeAlertRules, type AlertRules } from "../../contract";
import type { SubscriptionRecord } from "../../client";
import { nextMorning } from "../message/snooze-times";
import type { App } from "../state/app.svelte";
import { topicName } from "../state/topics/names";
import { alertRuleStrings, appStrings, momentWithTime, topicStrings } from "../strings";

/** For how many minutes one can mute, or until when; any other moment can be picked. */
export const MUTE_LENGTHS = [15, 45, 60, 120, "morning", "ever"] as const;

const MINUTE_MS = 60_000;

/**
 * When a mute ends: device clock, ms, on a whole minute, as its text says; Infinity = never by itself.
 * @param shownMs when the choice was shown: while the morning that it named is ahead, that one is meant
 */
export function mutedUntil(length: (typeof MUTE_LENGTHS)[number], nowMs: number, shownMs = nowMs): number {
  if (length === "ever") return Infinity;
  if (length !== "morning") return Math.ceil(nowMs / MINUTE_MS + length) * MINUTE_MS;
  const morningMs = nextMorning(shownMs);
  return morningMs > nowMs ? morningMs : nextMorning(nowMs);
}

/** Mutes a topic until a moment or for good (Infinity), or unmutes it (`null`), with an Undo. Device clock, ms. */
export async function setMute(app: App, subId: number, untilMs: number | null): Promise<void> {
  const subscription = app.catalogue.subscription(subId);
  if (!subscription) return;
  const nowMs = Date.now();
  // Read first, because the change is announced before the command is answered.
  const { mutedUntilMs } = subscription;
  const before = isMuted(mutedUntilMs, nowMs) ? mutedUntilMs : null;
  if (!(await app.attempt("patchSubscription", { subId, patch: { mutedUntilMs: untilMs } }))) return;
  const { done, doneUntil, ended } = topicStrings.mute;
  const topic = topicName(subscription);
  const mutedText = (until: number) =>
    until === Infinity ? done({ topic }) : doneUntil({ topic, time: momentWithTime(until, nowMs, "within") });
  app.notices.show({
    text: untilMs === null ? ended({ topic }) : mutedText(untilMs),
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

export function isAllMuted(app: App): boolean {
  return isMuted(decodeAlertRules(app.catalogue.settings.alertRules).mutedUntilMs, Date.now());
}

/** When to alert about a server that can't be reached. */
export function outageAfterText(minutes: number): string {
  const { after, afterHour } = alertRuleStrings.outage;
  return minutes === 60 ? afterHour : after({ count: minutes });
}

/** Changes some rules for the alerts of all topics. Returns whether that was stored; a failure is shown. */
export function setAlertRules(app: App, change: Partial<AlertRules>): Promise<boolean> {
  return app.setSettings({ alertRules: { ...decodeAlertRules(app.catalogue.settings.alertRules), ...change } });
}

/** "Muted", with its end if it has one. Device clock, ms. */
export function mutedText(mutedUntilMs: number | undefined, nowMs: number): string {
  if (mutedUntilMs === undefined || mutedUntilMs === Infinity) return appStrings.shell.muted;
  return appStrings.shell.mutedUntil({ time: momentWithTime(mutedUntilMs, nowMs, "within") });
}
