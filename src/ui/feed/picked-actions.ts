import type { StoredMessage } from "../../contract";
import { cancelDelivery, marksRead, remove, setMark } from "../message/marks";
import type { App } from "../state/app.svelte";
import type { Pane } from "../state/navigation/pane.svelte";
import { commandStrings, rowStrings } from "../strings";

export type PickedAction = "read" | "unread" | "star" | "done" | "snooze" | "delete";

/** Which way each toggle goes, by the marks of the picked messages in memory. */
export function picksNow({ picked, scope }: Pane, rows: readonly StoredMessage[]) {
  const known = rows.filter((row) => picked.has(row));
  return {
    hasUnread: marksRead(known),
    areStarred: scope?.list === "starred" || (known.length > 0 && known.every(({ starred }) => starred !== undefined)),
    areDone: scope?.list === "done",
    areSnoozed: scope?.list === "snoozed",
  };
}

/** Applies an action to all picked messages, with a single undo. Messages that leave the list are unpicked. */
export async function actOnPicked(
  app: App,
  pane: Pane,
  rows: readonly StoredMessage[],
  action: PickedAction,
): Promise<void> {
  const { picked } = pane;
  if (!picked) return;
  const { chosen, isEvery } = picked;
  const now = picksNow(pane, rows);
  // "All of the list" is evaluated each time, so after marking it may mean other messages.
  if (isEvery || action === "done" || action === "delete") picked.clear();
  const strings = commandStrings.picked;
  switch (action) {
    case "read":
    case "unread": {
      const on = action === "read";
      return setMark(app, chosen, { kind: "read", on }, on ? strings.markedRead : strings.markedUnread);
    }
    case "star": {
      const on = !now.areStarred;
      return setMark(app, chosen, { kind: "starred", on }, on ? strings.starred : strings.unstarred);
    }
    case "done": {
      const on = !now.areDone;
      return setMark(app, chosen, { kind: "done", on }, on ? rowStrings.triage.done : rowStrings.triage.notDone);
    }
    case "snooze":
      app.dialogs.open({ kind: "snooze", chosen, isSnoozed: now.areSnoozed });
      return;
    case "delete":
      return (pane.scope?.list === "scheduled" ? cancelDelivery : remove)(app, chosen);
  }
}

/** Picks all messages of a view, including those not loaded yet. Counts them first, to show how many. */
export async function pickAll(app: App, pane: Pane): Promise<void> {
  const { scope } = pane;
  if (!scope) return;
  const counted = await app.attempt("count", scope);
  if (counted) pane.picked.all({ ...scope, upTo: counted.value.upTo, atMs: counted.value.atMs }, counted.value.count);
}
