import type { Commands, SubscribeInput } from "../../contract";
import type { App } from "../state/app.svelte";
import { beginFirstSteps } from "./first-steps.svelte";
import { offerRead } from "./offer-read";

/**
 * Subscribes to topics, of which a single one may get a name, with the history as read if the user has chosen so. Once it resolves, the catalogue contains the new
 * subscriptions. The caller must report failures.
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
  if (isFirst) beginFirstSteps();
  await app.catalogue.readAgain();
  if (history === "all") offerRead(app, output.value.subIds);
  const [subId] = output.value.subIds;
  if (displayName !== undefined && subId !== undefined) {
    await app.attempt("patchSubscription", { subId, patch: { displayName } });
  }
  return output;
}
