import type { MessageKey, StoredMessage } from "../../client";
import type { Mark } from "../../protocol";
import type { App } from "../state/app.svelte";
import { words } from "../words";

/** Key of a stored message. */
function keyOf({ subId, time, id }: StoredMessage): MessageKey {
  return [subId, time, id];
}

/** Whether a message is unread (DESIGN, section 5): superseded, done, snoozed and scheduled ones are not. */
export function isUnread(row: StoredMessage): boolean {
  return (
    row.readAtMs === undefined &&
    row.doneAtMs === undefined &&
    row.snoozedUntilMs === undefined &&
    row.supersededBy === undefined &&
    row.scheduled === undefined
  );
}

async function mark(app: App, rows: StoredMessage[], set: Mark): Promise<boolean> {
  return (await app.attempt("mark", { keys: rows.map(keyOf), mark: set })) !== undefined;
}

/** Marks messages read, without a word about it. */
export function markRead(app: App, rows: StoredMessage[]): void {
  const unread = rows.filter(isUnread);
  if (unread.length > 0) void mark(app, unread, { kind: "read", on: true });
}

/** Turns the mark "read" of one message. */
export function toggleRead(app: App, row: StoredMessage): void {
  void mark(app, [row], { kind: "read", on: row.readAtMs === undefined });
}

/** Turns the star of one message. */
export function toggleStar(app: App, row: StoredMessage): void {
  void mark(app, [row], { kind: "starred", on: row.starred === undefined });
}

/** Marks a message done, so that it leaves the feed, or brings it back; the first can be undone. */
export async function toggleDone(app: App, row: StoredMessage): Promise<void> {
  const on = row.doneAtMs === undefined;
  if (!(await mark(app, [row], { kind: "done", on })) || !on) return;
  app.say({ text: words.feed.message.markedDone, undo: () => void mark(app, [row], { kind: "done", on: false }) });
}

/** Deletes a message; it can be brought back for a while. */
export async function deleteMessage(app: App, row: StoredMessage): Promise<void> {
  const keys = [keyOf(row)];
  if (!(await app.attempt("delete", { keys }))) return;
  const [subId, time, id] = app.selectedKey ?? [];
  // The page or panel of what is gone has nothing left to show.
  if (subId === row.subId && time === row.time && id === row.id) app.select(undefined);
  app.say({ text: words.feed.message.deleted, undo: () => void app.attempt("restore", { keys }) });
}

/** Loads what a topic's messages point at unasked from now on, or asks again. */
export function toggleRemote(app: App, subId: number): void {
  const { allowedRemote } = app.catalogue.settings;
  const others = allowedRemote.filter((other) => other !== subId);
  void app.setSetting("allowedRemote", others.length < allowedRemote.length ? others : [...others, subId]);
}
