import type { StoredMessage } from "../../client";
import { askSnooze, deleteMessage, toggleDone, toggleRead, toggleStar } from "../message/marks";
import type { App } from "../state/app.svelte";
import type { Pane } from "../state/pane.svelte";
import type { FeedCommand } from "./feed-keys";
import { keyOf } from "./feed-window";

/** Carries out what a key asks for on the selected message; commands that are not about one do nothing. */
export function runOnRow(app: App, pane: Pane, command: FeedCommand, row: StoredMessage): void {
  if (command === "open") pane.open(keyOf(row));
  if (command === "read") toggleRead(app, row);
  if (command === "star") toggleStar(app, row);
  if (command === "done") void toggleDone(app, row);
  if (command === "snooze") askSnooze(app, row);
  if (command === "delete") void deleteMessage(app, row);
}
