import type { NotificationData, StoredMessage } from "../../contract";
import { type Action, knownActions, priorityOf, sequenceOf, type ServerAddress } from "../../protocol";
import { bodyText } from "../message/body-text";
import { partTags, type EmojiTable } from "../message/emoji";
import { webLink } from "../message/links";
import type { Showable } from "../message/load-into";
import { titleWords, type Origin } from "../message/origin";
import { toMs } from "../message/server-time";
import { appStrings } from "../strings";
import { alertStrings } from "../strings/alerts";
import { bodyLines, titleText } from "./alert-text";
import type { NotificationPictures } from "./notification-pictures";

/** Notification options, including those that TypeScript's types lack. */
interface Options extends NotificationOptions {
  data: NotificationData;
  /** The browser loads it with the cookies of its host, so it must be the app's own icon or one that was judged. */
  icon: (typeof OWN_PICTURES)["icon"] | Showable;
  renotify?: boolean;
  timestamp?: number;
  image?: Showable;
  actions?: { action: string; title: string }[];
}

/** A notification that is about to be shown. */
export interface Shown {
  title: string;
  options: Options;
}

/** What a notification needs beyond the message itself. */
export interface AlertContext {
  origin: Origin;
  emoji: EmojiTable;
  /** Text of the body where it is Markdown. */
  markdown?: string | undefined;
  pictures?: NotificationPictures | undefined;
  /** Link to the message. */
  fragment: string;
  /** Device clock, ms. */
  nowMs: number;
  /** The most buttons that the system shows. */
  maxActions: number;
}

/** Messages of low priority make no sound (docs/protocol.md §14). */
export function isSilent(row: StoredMessage): boolean {
  return priorityOf(row.event) <= 2;
}

/**
 * The tag of a message, the same in all tabs and workers: a notification replaces an earlier one with the same tag.
 */
export function messageTag(address: ServerAddress, topic: string, sequence: string): string {
  return `${address}/${topic}/${sequence}`;
}

/** The notification of one message (docs/protocol.md §14). All text in it is plain, as the system renders no markup. */
export function messageNotification(row: StoredMessage, context: AlertContext): Shown {
  const { origin, emoji, fragment, nowMs } = context;
  const { event } = row;
  const inFront = partTags(event.tags ?? [], emoji).emoji.join(" ");
  const isTitled = (event.title ?? "").trim() !== "";
  const title = titleText(titleWords(event, origin));
  const withEmoji = (text: string) => (inFront ? `${inFront} ${text}` : text);
  const body = bodyLines(context.markdown ?? plainBody(row));
  const buttons = buttonsOf(row, context);
  const silent = isSilent(row);
  return {
    title: isTitled ? alertStrings.title(withEmoji(title), titleText(origin.name ?? origin.topic)) : title,
    options: {
      body: isTitled ? body : withEmoji(body),
      tag: messageTag(origin.address, origin.topic, sequenceOf(event)),
      dir: "auto",
      timestamp: toMs(event.time),
      silent,
      // A newer version counts as a new message, so it sounds again.
      renotify: !silent,
      requireInteraction: priorityOf(event) === 5,
      ...OWN_PICTURES,
      ...context.pictures,
      ...(buttons.actions.length > 0 && { actions: buttons.actions }),
      data: { fragment, shownAtMs: nowMs, key: [row.subId, row.time, row.id], links: buttons.links },
    },
  };
}

function plainBody({ event }: StoredMessage): string {
  const body = bodyText(event);
  if (body.kind === "bytes") return appStrings.feed.message.binary(body.sizeBytes);
  return body.kind === "unseen" ? appStrings.feed.message.unseen(body.characters) : body.text;
}

/** The app's own icon and badge, for messages without an icon. Relative to the page, which is in the same folder. */
export const OWN_PICTURES = { icon: "./icon-192.png", badge: "./badge-96.png" } as const;

/**
 * Buttons for `view` and `http` actions only (docs/protocol.md §14): a link opens directly, while a request opens the
 * page, which asks before it sends.
 */
function buttonsOf(row: StoredMessage, { maxActions }: AlertContext) {
  const links: Record<string, string> = {};
  const actions: { action: string; title: string }[] = [];
  for (const action of knownActions(row.event)) {
    if (actions.length >= maxActions) break;
    const href = targetOf(action);
    if (href === undefined) continue;
    if (action.action === "view") links[action.id] = href;
    actions.push({ action: action.id, title: titleText(action.label) });
  }
  return { links, actions };
}

function targetOf(action: Action): string | undefined {
  return action.action === "view" || action.action === "http" ? webLink(action.url) : undefined;
}
