import { keepUndo } from "./marks";
import type { SubscriptionRecord } from "../../client";
import type { ListQuery } from "../../contract";
import type { App } from "../state/app.svelte";
import { deferredShellStrings } from "../strings/deferred-shell";

/** The unread messages of a list: what "all" means where it is marked read. */
export function unreadOf({ list, subIds, filter }: ListQuery): ListQuery {
  const terms = [...filter.terms, { kind: "is", what: "unread", not: false } as const];
  return { list, ...(subIds && { subIds }), filter: { terms } };
}

/** The feed of whole topics. */
export function allOf(subscriptions: readonly SubscriptionRecord[]): ListQuery {
  return { list: "feed", subIds: subscriptions.map(({ subId }) => subId), filter: { terms: [] } };
}

/** Marks read what a list holds now, by default the one that is shown, and offers to undo it. */
export async function markAllRead(app: App, shown: ListQuery | undefined = app.pane.scope): Promise<void> {
  if (!shown) return;
  const { list, filter, subIds } = shown;
  // What arrives after the counters that are on screen stays unread.
  const upTo = app.catalogue.tables.lastArrival;
  const done = await (list === "feed" && filter.terms.length === 0
    ? markTopics(app, subIds, upTo)
    : app.attempt("mark", { every: { ...unreadOf(shown), upTo }, except: [], mark: { kind: "read", on: true } }));
  if (done === undefined) return;
  if (done.value.count === 0) app.notices.show({ text: deferredShellStrings.nothingUnread });
  else keepUndo(app, done.value, deferredShellStrings.markedRead(done.value.count));
}

/** Whole topics, of which the counters tell where the unread ones end. */
function markTopics(app: App, subIds: readonly number[] | undefined, upTo: number) {
  const topics = app.catalogue.subscriptions.filter(({ subId }) => subIds?.includes(subId) ?? true);
  const unread = topics.filter((subscription) => subscription.unread > 0);
  return app.attempt("markAllRead", { subIds: unread.map((subscription) => subscription.subId), upTo });
}
