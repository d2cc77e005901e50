import { type StoredMessage, isUnread } from "../../protocol";

import { remove, setMark } from "../message/marks";
import type { App } from "../state/app.svelte";
import type { Pane } from "../state/pane.svelte";
import { pickedOf } from "../state/picked.svelte";
import { rowStrings } from "../strings/rows";
import { commandStrings } from "../strings/commands";

/** What can be done with all that is picked. */
export type PickedAction = "read" | "unread" | "star" | "done" | "snooze" | "delete";

/** What the marks of those that are picked, as far as they are in memory, make of an action that can be taken back. */
export function picksNow({ picked, scope }: Pane, rows: readonly StoredMessage[]) {
  const known = rows.filter((row) => picked?.has(row));
  return {
    hasUnread: known.some(isUnread),
    areStarred: scope?.list === "starred" || (known.length > 0 && known.every(({ starred }) => starred !== undefined)),
    areDone: scope?.list === "done",
    areSnoozed: scope?.list === "snoozed",
  };
}

/** Does something with all that is picked, as one step that can be undone. What leaves the list is picked no longer. */
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
  // What all of a list are is asked of the list anew each time: marked, they may be others.
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
      app.dialog = { kind: "snooze", chosen, isSnoozed: now.areSnoozed };
      return;
    case "delete":
      return remove(app, chosen);
  }
}

/** Picks all that a view shows, also what is not read yet. How many they are is counted first, and said. */
export async function pickAll(app: App, pane: Pane): Promise<void> {
  const { scope } = pane;
  if (!scope) return;
  const counted = await app.attempt("count", scope);
  if (counted) pickedOf(pane).all({ ...scope, upTo: counted.value.upTo }, counted.value.count);
}
