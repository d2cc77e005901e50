import {
  type Changed,
  type Chosen,
  isUnread,
  keyOf,
  keyText,
  type Mark,
  rowKey,
  type StoredMessage,
  type ListQuery,
} from "../../contract";
import type { App } from "../state/app.svelte";
import { commandText, momentWithTime, rowStrings, frameStrings } from "../strings";
import type { SubscriptionRecord } from "../../client";

/** Keeps the undo of a change, and shows it if there are words for it. @param onBack called once it is undone */
function keepUndo(app: App, { count, undo, fault }: Changed, done?: string, onBack?: () => void): void {
  if (count === 0) return;
  const takeBack = () => void app.attempt("undo", { undo }).then((isUndone) => isUndone && onBack?.());
  const text = [fault && commandText(fault), done].filter((part) => part !== undefined).join(" ");
  if (text === "") app.notices.keep(takeBack);
  else app.notices.show({ text, undo: takeBack });
}

/** Sets a mark, with an Undo. */
export async function setMark(
  app: App,
  chosen: Chosen,
  mark: Mark,
  say?: (values: { count: number }) => string,
  onBack?: () => void,
): Promise<void> {
  const done = await app.attempt("mark", { ...chosen, mark });
  if (done) keepUndo(app, done.value, say?.({ count: done.value.count }), onBack);
}

/** Marks messages read, without saying so. */
export function markRead(app: App, rows: StoredMessage[]): void {
  const keys = rows.filter(isUnread).map(keyOf);
  if (keys.length > 0) void app.attempt("mark", { keys, mark: { kind: "read", on: true } });
}

/** Whether toggling "read" marks these read. Unlike in counters, unread messages that are done or snoozed count. */
export function marksRead(rows: readonly StoredMessage[]): boolean {
  return rows.some(({ readAtMs }) => readAtMs === undefined);
}

export function doneWith(app: App, rows: readonly StoredMessage[]): Promise<void> {
  return setMark(app, { keys: rows.map(keyOf) }, { kind: "done", on: true }, rowStrings.triage.done);
}

/** Takes messages out of the feed until then, ms; `null` brings them back. */
export function snooze(app: App, chosen: Chosen, untilMs: number | null, onBack?: () => void): Promise<void> {
  const say = ({ count }: { count: number }) =>
    untilMs === null
      ? rowStrings.triage.notDone({ count })
      : rowStrings.triage.snoozed({ count, time: momentWithTime(untilMs, Date.now(), "within") });
  return setMark(app, chosen, { kind: "snooze", untilMs }, say, onBack);
}

/** Deletes messages, with an Undo for a while. */
export function remove(app: App, chosen: Chosen, onBack?: () => void): Promise<void> {
  return setMark(app, chosen, { kind: "deleted", on: true }, rowStrings.triage.deleted, onBack);
}

/** Closes the panel of a message that goes. A message's own page leads back by itself. */
function leavePanel({ selection }: App, row: StoredMessage): void {
  if (!selection.opened && selection.key && keyText(selection.key) === rowKey(row)) selection.select(undefined);
}

/** Deletes a message with its repeats; if it is scheduled, cancels its delivery. */
export async function deleteMessage(app: App, row: StoredMessage, all: Chosen, onBack?: () => void): Promise<void> {
  leavePanel(app, row);
  await (row.scheduled ? cancelDelivery : remove)(app, all, onBack);
}

export async function cancelDelivery(app: App, chosen: Chosen, onBack?: () => void): Promise<void> {
  const done = await app.attempt("cancelScheduled", chosen);
  if (!done) return;
  const { cancelled, hidden } = done.value;
  if (cancelled > 0) app.notices.show({ text: rowStrings.triage.cancelled({ count: cancelled }) });
  keepUndo(app, hidden, rowStrings.triage.hiddenHere, onBack);
}

export async function sendNow(app: App, row: StoredMessage): Promise<void> {
  const done = await app.attempt("sendNow", { key: keyOf(row) });
  if (!done) return;
  leavePanel(app, row);
  app.notices.show({ text: done.value.isCancelled ? rowStrings.triage.sent : rowStrings.triage.sentTwice });
}

/** Toggles whether a topic's messages load what they point at unasked. */
export function toggleRemote(app: App, subId: number): void {
  const { allowedRemote } = app.catalogue.settings;
  const others = allowedRemote.filter((other) => other !== subId);
  void app.setSettings({ allowedRemote: others.length < allowedRemote.length ? others : [...others, subId] });
}

/** The unread messages of a list, which is what "mark all read" means. */
export function unreadOf<Query extends ListQuery>({ filter, ...query }: Query) {
  const terms = [...filter.terms, { kind: "is", what: "unread", not: false } as const];
  return { ...query, filter: { terms } };
}

/** The feed of one or more whole topics. */
export function allOf(subscriptions: readonly SubscriptionRecord[]): ListQuery {
  return { list: "feed", subIds: subscriptions.map(({ subId }) => subId), filter: { terms: [] } };
}

/** Marks everything in a list read, by default the one shown, with an Undo. */
export async function markAllRead(
  app: App,
  shown: ListQuery | undefined = app.pane.scope,
  // What arrives after the counters on the screen stays unread.
  upTo = app.catalogue.tables.lastArrival,
): Promise<void> {
  if (!shown) return;
  const every = { ...unreadOf(shown), upTo };
  const done = await app.attempt("mark", { every, except: [], mark: { kind: "read", on: true } });
  if (done?.value.count === 0) app.notices.show({ text: frameStrings.nothingUnread });
  else if (done) keepUndo(app, done.value, frameStrings.markedRead({ count: done.value.count }));
}
