import type { PushPlace } from "./push-place";

/** Sets the number on the app's icon to what is unread in topics that aren't muted. */
export async function updateBadge({ store, now, setBadge }: PushPlace): Promise<void> {
  const subscriptions = await store.subscriptions();
  if (!subscriptions.ok) return;
  const heard = subscriptions.value.filter(({ mutedUntilMs = 0 }) => mutedUntilMs <= now());
  await setBadge(heard.reduce((sum, { unread }) => sum + unread, 0));
}
