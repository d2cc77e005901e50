import { allOf, markAllRead } from "../message/mark-all-read";
import type { App } from "../state/app.svelte";
import { topicStrings } from "../strings/topics";

/** Fewer messages of the past are read as quickly as an offer to mark them. */
const WORTH_OFFERING = 5;

/** History that takes longer than this, ms, comes when the user does something else. */
const OFFER_WITHIN_MS = 60_000;

/** The counters of the last messages of the history may be announced this much after the topic is caught up, ms. */
const COUNTED_WITHIN_MS = 2_000;

/** Once the history of new topics is there, offers to mark it read in one press. */
export function offerRead(app: App, subIds: readonly number[]): void {
  const look = (): void => {
    const subscriptions = subIds.flatMap((subId) => app.catalogue.subscription(subId) ?? []);
    // The page may not know all the new topics yet.
    if (isOver || subscriptions.length < subIds.length || subscriptions.some(({ joined }) => joined !== 1)) return;
    const older = subscriptions.reduce((sum, { unread }) => sum + unread, 0);
    if (older < WORTH_OFFERING) {
      lastLook ??= setTimeout(end, COUNTED_WITHIN_MS);
      return;
    }
    end();
    const run = () => void markAllRead(app, allOf(subscriptions));
    app.notices.show({ text: topicStrings.add.older(older), action: { label: topicStrings.add.markRead, run } });
  };
  let isOver = false;
  let lastLook: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    isOver = true;
    stop();
    clearTimeout(timer);
    clearTimeout(lastLook);
  };
  const stop = app.client.listen(({ kind }) => {
    const isCounting = kind === "rows" && lastLook !== undefined;
    if (isCounting || kind === "catalogue" || kind === "missed") void app.catalogue.readAgain().then(look);
  });
  const timer = setTimeout(end, OFFER_WITHIN_MS);
  look();
}
