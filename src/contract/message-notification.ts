// The notification of a message, the same whether a page shows it or the worker that receives pushes.
import { type Action, knownActions, priorityOf, sequenceOf, type ServerAddress, toMs } from "../protocol";
import { bodyLines, titleText } from "./alert-text";
import { bodyText, shownTitle } from "./body-text";
import { partTags, type EmojiTable } from "./emoji";
import type { NotificationData } from "./notification";
import { type ButtonStrings, isOwnButton, OWN_BUTTONS } from "./own-buttons";
import { keyOf, type StoredMessage } from "./stored-message";
import { webLink } from "./web-link";

/** The app's own icon and badge, for messages without an icon. Relative to the app's folder. */
export const OWN_PICTURES = { icon: "./icon-192.png", badge: "./badge-96.png" } as const;

/** Options of a notification, including those that TypeScript's types lack. */
interface Options<Picture extends string> {
  body: string;
  tag: string;
  badge: (typeof OWN_PICTURES)["badge"];
  /** The browser loads it with the cookies of its host, so it must be the app's own icon or one that was judged. */
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

/** A notification that is about to be shown. `Picture`: addresses of pictures that may be loaded. */
export interface ShownNotification<Picture extends string = never> {
  title: string;
  options: Options<Picture>;
}

/** The strings of the notification of a message, in the user's language. */
export interface NotificationStrings {
  /** A message's own title beside the name of its topic. */
  title(title: string, topic: string): string;
  /** In place of a body that is no text. */
  binary(sizeBytes: number): string;
  /** In place of a body without visible characters. */
  unseen(characters: number): string;
  /** The app's own buttons, by what they do; absent = it has none, as the strings are those of an earlier version. */
  buttons?: ButtonStrings | undefined;
}

/** What a notification needs beyond the message itself. */
export interface AlertContext<Picture extends string = never> {
  /** `name`: what the user calls the topic. */
  origin: { address: ServerAddress; topic: string; name?: string | undefined };
  strings: NotificationStrings;
  emoji: EmojiTable;
  /** Text of the body where it is Markdown. */
  markdown?: string | undefined;
  pictures?: { icon?: Picture; image?: Picture } | undefined;
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
export function messageNotification<Picture extends string = never>(
  row: StoredMessage,
  context: AlertContext<Picture>,
): ShownNotification<Picture> {
  const { origin, emoji, fragment, nowMs, strings } = context;
  const { event } = row;
  const inFront = partTags(event.tags ?? [], emoji).emoji.join(" ");
  const isTitled = (event.title ?? "").trim() !== "";
  const title = titleText(shownTitle(event, origin));
  const withEmoji = (text: string) => (inFront ? `${inFront} ${text}` : text);
  const body = bodyLines(context.markdown ?? plainBody(row, strings));
  const buttons = buttonsOf(row, context);
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
  return body.kind === "unseen" ? strings.unseen(body.characters) : body.text;
}

/**
 * Buttons for `view` and `http` actions only (docs/protocol.md §14): a link opens directly, while a request opens the
 * page, which asks before it sends. Where there is room, the app's own come behind them.
 */
function buttonsOf(row: StoredMessage, { maxActions, strings }: Pick<AlertContext, "maxActions" | "strings">) {
  const links: Record<string, string> = {};
  const actions: { action: string; title: string }[] = [];
  const clears: string[] = [];
  for (const action of knownActions(row.event)) {
    if (actions.length >= maxActions) break;
    const href = targetOf(action);
    if (href === undefined || isOwnButton(action.id)) continue;
    if (action.action === "view") links[action.id] = href;
    if (action.action === "view" && action.clear) clears.push(action.id);
    actions.push({ action: action.id, title: titleText(action.label) });
  }
  const own = (["done", "snooze"] as const).flatMap((name) =>
    strings.buttons ? [{ action: OWN_BUTTONS[name], title: strings.buttons[name] }] : [],
  );
  return { links, clears, actions: [...actions, ...own].slice(0, maxActions) };
}

function targetOf(action: Action): string | undefined {
  return action.action === "view" || action.action === "http" ? webLink(action.url) : undefined;
}
