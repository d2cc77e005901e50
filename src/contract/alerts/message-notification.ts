// The notification of a message, the same whether a page or the push worker shows it.
import { isJsonObject, knownActions, priorityOf, sequenceOf, type ServerAddress, toMs } from "../../protocol";
import { bodyLines, bodyText, ownTitle, plainMarkdown, shownTitle, titleText } from "../body-text";
import { partTags, type EmojiTable } from "../emoji";
import { keyOf, type StoredMessage, type MessageKey } from "../stored-message";
import type { Mark } from "../triage";
import { isSilent } from "./sounds";
import { webLink } from "../web-link";

/** The prefix of the app's own buttons; a message's button with this prefix is left out. */
const OWN = "earshot:";

/** Their names, by action. */
const OWN_BUTTONS = { done: `${OWN}done`, snooze: `${OWN}snooze` } as const;

export type ButtonStrings = Record<keyof typeof OWN_BUTTONS, string>;

/** How long a button snoozes a message, ms; it can't ask. */
const SNOOZE_MS = 3_600_000;

/** The mark that such a button sets; undefined = it isn't one of the app's own. */
export function markOfButton(name: string, nowMs: number): Mark | undefined {
  if (name === OWN_BUTTONS.done) return { kind: "done", on: true };
  if (name === OWN_BUTTONS.snooze) return { kind: "snooze", untilMs: nowMs + SNOOZE_MS };
  return undefined;
}

/** The app's own icon and badge, for messages without an icon. Relative to the app's folder. */
export const OWN_PICTURES = { icon: "./icon-192.png", badge: "./badge-96.png" } as const;

/** Options of a notification, including those that TypeScript's types lack. */
interface Options<Picture extends string> {
  body: string;
  tag: string;
  badge: (typeof OWN_PICTURES)["badge"];
  /** The browser loads it with the cookies of its host, so it must be the app's own icon or one that was checked. */
  icon: (typeof OWN_PICTURES)["icon"] | Picture;
  data: NotificationData;
  dir?: "auto";
  renotify?: boolean;
  silent?: boolean;
  requireInteraction?: boolean;
  /** Ms. */
  timestamp?: number;
  image?: Picture;
  actions?: { action: string; title: string }[];
}

/** A notification about to be shown. `Picture`: addresses of pictures that may be loaded. */
export interface ShownNotification<Picture extends string = never> {
  title: string;
  options: Options<Picture>;
}

export interface NotificationStrings {
  /** A message's own title beside the name of its topic. */
  title(title: string, topic: string): string;
  /** Replaces a body that isn't text. */
  binary(sizeBytes: number): string;
  /** Replaces a body without visible characters. */
  unseen(characters: number): string;
  /** The app's own buttons; absent = the strings are those of an earlier version. */
  buttons?: ButtonStrings | undefined;
}

export interface AlertContext<Picture extends string = never> {
  /** `name`: the user's name for the topic. */
  origin: { address: ServerAddress; topic: string; name?: string | undefined };
  strings: NotificationStrings;
  emoji: EmojiTable;
  pictures?: { icon?: Picture; image?: Picture } | undefined;
  /** Link to the message. */
  fragment: string;
  /** Device clock, ms. */
  nowMs: number;
}

/** The tag of a message, the same in all tabs and workers: a notification replaces an earlier one with its tag. */
export function messageTag(address: ServerAddress, topic: string, sequence: string): string {
  return `${address}/${topic}/${sequence}`;
}

/** The notification of one message (docs/protocol.md §14). All text in it is plain, as the system renders no markup. */
export function messageNotification<Picture extends string = never>(
  row: StoredMessage,
  context: AlertContext<Picture>,
): ShownNotification<Picture> {
  const { origin, emoji, fragment, nowMs, strings } = context;
  const { event } = row;
  const inFront = partTags(event.tags ?? [], emoji).emoji.join(" ");
  const isTitled = ownTitle(event) !== undefined;
  const title = titleText(shownTitle(event, origin));
  const withEmoji = (text: string) => (inFront ? `${inFront} ${text}` : text);
  const body = bodyLines(plainBody(row, strings));
  const buttons = buttonsOf(row, strings);
  const silent = isSilent(row);
  return {
    title: isTitled ? strings.title(withEmoji(title), titleText(origin.name ?? origin.topic)) : title,
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
      data: { fragment, shownAtMs: nowMs, key: keyOf(row), links: buttons.links, clears: buttons.clears },
    },
  };
}

function plainBody({ event }: StoredMessage, strings: NotificationStrings): string {
  const body = bodyText(event);
  if (body.kind === "bytes") return strings.binary(body.sizeBytes);
  if (body.kind === "unseen") return strings.unseen(body.characters);
  return body.kind === "markdown" ? plainMarkdown(body.text) : body.text;
}

/**
 * Buttons of `view` and `http` actions, of which only `view` opens directly, then the app's own (docs/protocol.md §14).
 * Systems show as many as they can.
 */
function buttonsOf(row: StoredMessage, strings: NotificationStrings) {
  const links: Record<string, string> = {};
  const actions: { action: string; title: string }[] = [];
  const clears: string[] = [];
  for (const action of knownActions(row.event)) {
    const href = action.action === "view" || action.action === "http" ? webLink(action.url) : undefined;
    if (href === undefined || action.id.startsWith(OWN)) continue;
    if (action.action === "view") links[action.id] = href;
    if (action.action === "view" && action.clear) clears.push(action.id);
    actions.push({ action: action.id, title: titleText(action.label) });
  }
  const own = (["done", "snooze"] as const).flatMap((name) =>
    strings.buttons ? [{ action: OWN_BUTTONS[name], title: strings.buttons[name] }] : [],
  );
  return { links, clears, actions: [...actions, ...own] };
}

/** Held while notifications are shown or listed: Chromium loses one that is shown while a tab lists them. */
export const NOTIFICATION_LOCK = "earshot notifications";

/** Stored with a notification: all that is known when it is pressed. */
export interface NotificationData {
  /** The view or message that a press opens, `#/…`. Never holds credentials. */
  fragment: string;
  /** When it was shown, device clock, ms. */
  shownAtMs: number;
  /** The message it shows; absent if it represents several, or a server. */
  key?: MessageKey;
  /** Addresses that its buttons open, by the button's name. The page runs the other buttons. */
  links?: Record<string, string>;
  /** Buttons after which the message is read. */
  clears?: string[];
  /** What it summarises, by subscription. */
  summary?: AlertCounts;
}

/** How many messages a summary stands for. */
export interface AlertCount {
  count: number;
  /** How many of them have priority 5. */
  urgent: number;
}

/** How many messages of each subscription, by `subId`. */
export type AlertCounts = Record<number, AlertCount>;

/** More messages than this at once become a summary. */
export const MAX_SINGLE = 4;

/** A summary with more messages in it. */
export function addToSummary(before: AlertCounts, rows: readonly StoredMessage[]): AlertCounts {
  const after = { ...before };
  for (const { subId, event } of rows) {
    const { count, urgent } = after[subId] ?? { count: 0, urgent: 0 };
    after[subId] = { count: count + 1, urgent: urgent + (priorityOf(event) === 5 ? 1 : 0) };
  }
  return after;
}

/** From the service worker to a page, with a port for the answer: show what was pressed. */
export interface NotificationPress {
  kind: "notification-press";
  fragment: string;
  key?: MessageKey;
  /** The button that was pressed; absent for the notification itself. */
  actionId?: string;
  /** Whether the button opened its link, after which the message is read; the page only marks it. */
  isCleared?: true;
  /** When it was pressed, Unix ms; a worker of an older version doesn't say. */
  atMs?: number;
}

/** A page that hears of a press later than this, ms, was frozen, and the worker has answered it. */
const ANSWERED_AFTER_MS = 60_000;

/** Whether data is such a press that may wait for an answer; anything on the origin can send messages to a page. */
export function isNotificationPress(data: unknown, nowMs: number): data is NotificationPress {
  const { kind, fragment, atMs } = isJsonObject(data) ? data : {};
  if (kind !== "notification-press" || typeof fragment !== "string" || !fragment.startsWith("#/")) return false;
  return atMs === undefined || (typeof atMs === "number" && nowMs - atMs < ANSWERED_AFTER_MS);
}
