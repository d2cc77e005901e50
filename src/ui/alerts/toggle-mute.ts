import type { SubscriptionRecord } from "../../client";
import type { App } from "../state/app.svelte";
import { allMutedUntilMs, isMuted } from "../state/muted";

/** Unmutes a muted topic; of any other, asks for how long it should be muted. */
export async function toggleMute(app: App, { subId, mutedUntilMs }: SubscriptionRecord): Promise<void> {
  if (!isMuted(mutedUntilMs, Date.now())) return app.dialogs.open({ kind: "mute", subId });
  const { setMute } = await import("./set-mute");
  await setMute(app, subId, null);
}

/** Asks how long to mute everything, or unmutes it. */
export async function toggleMuteAll(app: App): Promise<void> {
  if (!isMuted(allMutedUntilMs(app.catalogue.settings.alertRules), Date.now()))
    return app.dialogs.open({ kind: "mute" });
  const { muteAll } = await import("./set-mute");
  await muteAll(app, null);
}
