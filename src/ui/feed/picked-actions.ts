import type { Mark, StoredMessage } from "../../contract";
import { cancelDelivery, marksRead, remove, setMark } from "../message/marks";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import type { Pane } from "../state/navigation/pane.svelte";
import { commandStrings, frameStrings, rowStrings } from "../strings";

/**
 * What is done with all picked messages, with a single undo. The marks of those in memory decide which way each
 * goes. Messages that leave the list are unpicked.
 */
export function pickedActions(
  app: App,
  { picked, scope }: Pane,
  rows: readonly StoredMessage[],
): Record<"markRead" | "markUnread" | "read" | "star" | "done" | "snooze" | "delete", MenuItem> {
  const strings = commandStrings.picked;
  const { message: words, triage } = rowStrings;
  const known = rows.filter((row) => picked.has(row));
  const isStarred =
    scope?.list === "starred" || (known.length > 0 && known.every(({ starred }) => starred !== undefined));
  const isDone = scope?.list === "done";
  const isScheduled = scope?.list === "scheduled";

  function take(leaves = false) {
    const { chosen, isEvery } = picked;
    // "All of the list" is evaluated each time, so after marking it may mean other messages.
    if (isEvery || leaves) picked.clear();
    return chosen;
  }
  const mark = (mark: Mark, say: (values: { count: number }) => string) =>
    setMark(app, take(mark.kind === "done"), mark, say);
  const markRead: MenuItem = {
    label: strings.read,
    icon: "read",
    run: () => mark({ kind: "read", on: true }, frameStrings.markedRead),
  };
  const markUnread: MenuItem = {
    label: strings.unread,
    icon: "unread",
    run: () => mark({ kind: "read", on: false }, strings.markedUnread),
  };
  return {
    markRead,
    markUnread,
    read: marksRead(known) ? markRead : markUnread,
    star: {
      label: isStarred ? words.unstar : words.star,
      icon: "star",
      run: () => mark({ kind: "starred", on: !isStarred }, isStarred ? strings.unstarred : strings.starred),
    },
    done: {
      label: isDone ? words.notDone : words.done,
      icon: "archive",
      run: () => mark({ kind: "done", on: !isDone }, isDone ? triage.notDone : triage.done),
    },
    snooze: {
      label: words.snooze,
      icon: "snooze",
      run() {
        const isSnoozed = scope?.list === "snoozed";
        app.dialogs.open({ kind: "snooze", chosen: picked.chosen, isSnoozed, after: () => picked.clear() });
      },
    },
    delete: {
      label: isScheduled ? words.cancelDelivery : words.delete,
      icon: "trash",
      run: () => (isScheduled ? cancelDelivery : remove)(app, take(true)),
    },
  };
}

/** Picks all messages of a view, including those not loaded yet. Counts them first, to show how many. */
export async function pickAll(app: App, pane: Pane): Promise<void> {
  const { scope } = pane;
  if (!scope) return;
  const counted = await app.attempt("count", scope);
  if (counted) pane.picked.all({ ...scope, upTo: counted.value.upTo, atMs: counted.value.atMs }, counted.value.count);
}
