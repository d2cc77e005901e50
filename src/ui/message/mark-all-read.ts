import { keepUndo } from "./marks";
import type { SubscriptionRecord } from "../../client";
import type { App } from "../state/app.svelte";
import { deferredShellStrings } from "../strings/deferred-shell";

/** Marks all of some topics read, by default of those that the view covers, up to the newest message known now, and offers to undo it. */
export async function markAllRead(
  app: App,
  subscriptions: readonly SubscriptionRecord[] = app.pane.covered,
): Promise<void> {
  const unread = subscriptions.filter((subscription) => subscription.unread > 0);
  const upTo = Math.max(...unread.map((subscription) => subscription.newest?.time ?? 0));
  if (unread.length === 0) {
    app.notices.show({ text: deferredShellStrings.nothingUnread });
    return;
  }
  const done = await app.attempt("markAllRead", {
    subIds: unread.map((subscription) => subscription.subId),
    // What arrives between this press and the hub's work stays unread.
    ...(upTo > 0 ? { upTo } : {}),
  });
  if (done) keepUndo(app, done.value, deferredShellStrings.markedRead(done.value.count));
}
