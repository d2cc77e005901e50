import { keepUndo } from "./marks";
import type { SubscriptionRecord } from "../../client";
import type { ListQuery } from "../../contract";
import type { App } from "../state/app.svelte";
import { frameStrings } from "../strings";

/** The unread messages of a list: what "all" means when it is marked read. */
export function unreadOf({ list, subIds, filter }: ListQuery): ListQuery {
  const terms = [...filter.terms, { kind: "is", what: "unread", not: false } as const];
  return { list, ...(subIds && { subIds }), filter: { terms } };
}

/** The feed of whole topics. */
export function allOf(subscriptions: readonly SubscriptionRecord[]): ListQuery {
  return { list: "feed", subIds: subscriptions.map(({ subId }) => subId), filter: { terms: [] } };
}

/** Marks everything in a list read, by default the shown one, with an Undo. */
export async function markAllRead(app: App, shown: ListQuery | undefined = app.pane.scope): Promise<void> {
  if (!shown) return;
  // What arrives after the counters on screen stays unread.
  const every = { ...unreadOf(shown), upTo: app.catalogue.tables.lastArrival };
  const done = await app.attempt("mark", { every, except: [], mark: { kind: "read", on: true } });
  if (done?.value.count === 0) app.notices.show({ text: frameStrings.nothingUnread });
  else if (done) keepUndo(app, done.value, frameStrings.markedRead({ count: done.value.count }));
}
