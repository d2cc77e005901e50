import type { SubscriptionRecord } from "../../client";
import type { App } from "../state/app.svelte";
import { topicName } from "../state/topics/names";
import type { View } from "../state/navigation/view";
import { appStrings } from "../strings";

/** Hides a topic. It is deleted with its messages after the undo time; until then, undo restores both. */
export async function unsubscribe(app: App, subscription: SubscriptionRecord): Promise<void> {
  const { subId } = subscription;
  const view = app.navigation.viewOf(subId);
  // Leave first: a view of a removed topic would ask whether to subscribe to it.
  app.navigation.go({ kind: "everything" });
  if (!(await app.attempt("unsubscribe", { subId }))) return;
  app.notices.show({
    text: appStrings.shell.removed({ topic: topicName(subscription) }),
    undo: () => void restore(app, subId, view),
  });
}

async function restore(app: App, subId: number, view: View): Promise<void> {
  if (!(await app.attempt("restoreSubscription", { subId }))) return;
  await app.catalogue.readAgain();
  app.navigation.go(view);
}
