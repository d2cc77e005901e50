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
  const done =
    list === "feed" && filter.terms.length === 0 ? await markTopics(app, subIds) : await markList(app, unreadOf(shown));
  if (done === undefined) return;
  if (done.value.count === 0) app.notices.show({ text: deferredShellStrings.nothingUnread });
  else keepUndo(app, done.value, deferredShellStrings.markedRead(done.value.count));
}

/** Whole topics, of which the counters tell where the unread ones end. */
function markTopics(app: App, subIds: readonly number[] | undefined) {
  const topics = app.catalogue.subscriptions.filter(({ subId }) => subIds?.includes(subId) ?? true);
  const unread = topics.filter((subscription) => subscription.unread > 0);
  const upTo = Math.max(...unread.map((subscription) => subscription.newest?.time ?? 0));
  return app.attempt("markAllRead", {
    subIds: unread.map((subscription) => subscription.subId),
    // What arrives between this press and the hub's work stays unread.
    ...(upTo > 0 ? { upTo } : {}),
  });
}

async function markList(app: App, query: ListQuery) {
  const counted = await app.attempt("count", query);
  if (!counted) return undefined;
  const every = { ...query, upTo: counted.value.upTo };
  return app.attempt("mark", { every, except: [], mark: { kind: "read", on: true } });
}
