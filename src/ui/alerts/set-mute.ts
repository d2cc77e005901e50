import type { App } from "../state/app.svelte";
import { isMuted } from "../state/muted";
import { topicName } from "../state/names";
import { momentWithTime } from "../strings";
import { topicStrings } from "../strings/topics";

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
