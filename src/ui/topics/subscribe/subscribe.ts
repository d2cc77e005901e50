import type { Commands, SubscribeInput } from "../../../contract";
import type { App } from "../../state/app.svelte";
import { totalOf } from "../../state/topics/groups";

/** Fewer old messages take no longer to read than the offer. */
const WORTH_OFFERING = 5;

/** History that takes longer than this, ms, arrives when the user is doing something else. */
const OFFER_WITHIN_MS = 60_000;

/** How long after the catch-up the last counters may be announced, ms. */
const COUNTED_WITHIN_MS = 2_000;

/** Once the history of new topics is here, offers to mark it read. */
function offerRead(app: App, subIds: readonly number[]): void {
  const look = (): void => {
    const subscriptions = subIds.flatMap((subId) => app.catalogue.subscription(subId) ?? []);
    // The page may not know all the new topics yet.
    if (isOver || subscriptions.length < subIds.length || subscriptions.some(({ joined }) => joined !== 1)) return;
    const count = totalOf(subscriptions, "unread");
    if (count < WORTH_OFFERING) {
      lastLook ??= setTimeout(end, COUNTED_WITHIN_MS);
      return;
    }
    end();
    app.offers.older = { subIds, count, upTo: app.catalogue.tables.lastArrival };
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

/**
 * Subscribes to topics (a single one may get a name), with history as read if the user chose so. Once it resolves, the
 * catalogue has the new subscriptions. The caller must report failures.
 */
export async function subscribe(
  app: App,
  input: SubscribeInput,
  displayName?: string,
): Promise<Commands["subscribe"]["output"]> {
  const isFirst = app.catalogue.subscriptions.length === 0;
  const history = input.history === "all" && app.catalogue.settings.historyRead ? "read" : input.history;
  const output = await app.client.send("subscribe", { ...input, history });
  if (!output.ok) return output;
  if (isFirst) app.offers.beginFirstSteps();
  await app.catalogue.readAgain();
  if (history === "all") offerRead(app, output.value.subIds);
  const [subId] = output.value.subIds;
  if (displayName !== undefined && subId !== undefined) {
    await app.attempt("patchSubscription", { subId, patch: { displayName } });
  }
  return output;
}
