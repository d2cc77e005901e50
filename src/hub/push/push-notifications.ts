// Notifications of what came while no page could show it.
import {
  addToSummary,
  type AlertCounts,
  isMuted,
  bodyLines,
  bodyText,
  type EmojiTable,
  formatLink,
  hidingRules,
  isSilent,
  messageNotification,
  messageTag,
  type NotificationData,
  OWN_PICTURES,
  ownTitle,
  type PushWorkerStrings,
  type RowFilter,
  type ShownNotification,
  type StoredMessage,
  titleText,
  type Mark,
  type MessageKey,
} from "../../contract";
import { type MessageEvent, sequenceOf, type ServerAddress } from "../../protocol";
import type { SubscriptionRecord } from "../../store";
import type { Written } from "../environment";
import { rowsEvent, tellHubs } from "../lead/between-hubs";
import type { PushWorker } from "./push-worker";

export interface NotifyContext {
  address: ServerAddress;
  words: PushWorkerStrings;
  emoji: EmojiTable;
  /** Device clock, ms. */
  nowMs: number;
}

/** A name in braces, as in the texts for pushes. */
const PLACE = /\{(\w+)\}/g;

/** Fills in a text of `PushWorkerStrings`. The values may contain braces themselves. */
export function filledIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACE, (place, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? place) : place));
}

export function pushedNotification(
  row: StoredMessage,
  { topic, displayName }: Pick<SubscriptionRecord, "topic" | "displayName">,
  { address, words, emoji, nowMs }: NotifyContext,
): ShownNotification {
  return messageNotification(row, {
    origin: { address, topic, name: displayName },
    strings: {
      title: (title, name) => filledIn(words.title, { title, topic: name }),
      binary: () => words.binary,
      unseen: () => words.unseen,
      buttons: words.buttons,
    },
    emoji,
    fragment: formatLink(
      {
        scope: { kind: "topics", address, topics: [topic] },
        filter: { terms: [] },
        message: { id: row.id, at: row.time },
      },
      undefined,
    ),
    nowMs,
  });
}

export function pushedTag(address: ServerAddress, event: { topic: string } & Parameters<typeof sequenceOf>[0]): string {
  return messageTag(address, event.topic, sequenceOf(event));
}

/** Tag of the notification that sums up what a server's pushes brought. */
export function manyTag(address: ServerAddress): string {
  return `many ${address}`;
}

/** A notification whose press opens the app. */
function general(
  title: string,
  nowMs: number,
  {
    summary,
    ...options
  }: Pick<NotificationData, "summary"> &
    Pick<ShownNotification["options"], "tag"> &
    Partial<Pick<ShownNotification["options"], "body" | "silent" | "renotify">>,
): ShownNotification {
  const data = { fragment: "#/", shownAtMs: nowMs, ...(summary && { summary }) };
  return { title, options: { body: "", ...options, ...OWN_PICTURES, data } };
}

/** One notification for several messages, which replaces the one before. @param before what that one stood for */
export function manyNotification(
  rows: readonly StoredMessage[],
  before: AlertCounts,
  { address, words, nowMs }: NotifyContext,
): ShownNotification {
  const summary = addToSummary(before, rows);
  const count = Object.values(summary).reduce((sum, one) => sum + one.count, 0);
  const silent = rows.every(isSilent);
  const title = filledIn(words.many, { count: String(count) });
  return general(title, nowMs, { tag: manyTag(address), silent, renotify: !silent, summary });
}

/** A silent notification that only says that something came. The next one replaces it, and an open page removes it. */
export function quietNotification(title: string, { address, nowMs }: NotifyContext): ShownNotification {
  return general(title, nowMs, { tag: `quiet ${address}`, silent: true, renotify: false, summary: {} });
}

/** For a message that can't be stored: shows its text; a press opens the app. */
export function unstoredNotification(event: MessageEvent, nowMs: number): ShownNotification {
  const title = ownTitle(event) ?? titleText(event.topic);
  const body = bodyText(event);
  const tag = `unstored ${event.topic}/${sequenceOf(event)}`;
  return general(title, nowMs, { tag, body: "text" in body ? bodyLines(body.text) : "" });
}

/** Sets the number on the app's icon to what Everything has unread in topics that aren't muted. */
export async function updateBadge({
  store,
  now,
  setBadge,
}: Pick<PushWorker, "store" | "now" | "setBadge">): Promise<void> {
  const subscriptions = await store.subscriptions();
  if (!subscriptions.ok) return;
  const heard = subscriptions.value.filter(({ mutedUntilMs }) => !isMuted(mutedUntilMs, now()));
  const ruled = heard.filter(({ hides }) => hides);
  const subIds = ruled.map(({ subId }) => subId);
  const filter: RowFilter = { terms: [{ kind: "is", what: "unread", not: false }] };
  const query = { list: "feed", subIds, filter, hidden: hidingRules(ruled) } as const;
  const counted = ruled.length > 0 ? await store.count(query, now()) : undefined;
  const others = counted?.ok ? heard.filter((one) => !ruled.includes(one)) : heard;
  await setBadge(others.reduce((sum, { unread }) => sum + unread, counted?.ok ? counted.value.count : 0));
}

export function tellWritten({ channel }: Pick<PushWorker, "channel">, what: Written): void {
  const event = rowsEvent(what);
  if (event) tellHubs(channel, { kind: "event", event });
}

/** Marks a message, and tells the pages. Resolves to whether that was stored. */
export async function markPressed(
  worker: Pick<PushWorker, "store" | "now" | "channel" | "setBadge">,
  key: MessageKey,
  mark: Mark,
): Promise<boolean> {
  const { store, now } = worker;
  const marked = await store.mark([key], mark, now());
  if (!marked.ok) return false;
  tellWritten(worker, marked.value);
  await updateBadge(worker);
  return true;
}
