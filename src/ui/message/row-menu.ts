import { type Chosen, isMuted, keyOf, type StoredMessage } from "../../contract";
import {
  canRepublish,
  isMarkdown,
  messageText,
  knownActions,
  type MessageEvent,
  type ServerAddress,
} from "../../protocol";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import { copyText } from "../state/navigation/share";
import { shellLine } from "../state/shell-line";
import { frameStrings, rowStrings } from "../strings";
import { deleteMessage, marksRead, sendNow, setMark } from "./marks";
import { hideAction } from "./hide";
import { visible } from "./label";

/** A message's fields as published (docs/protocol.md §13, JSON form). */
function publication(event: MessageEvent): object {
  const { topic, title, tags, priority, click, icon, attachment } = event;
  const actions = knownActions(event).map(({ id: _given, ...action }) => action);
  return {
    topic,
    message: textOf(event),
    title,
    priority,
    tags,
    markdown: isMarkdown(event) ? true : undefined,
    click,
    icon,
    attach: attachment?.url,
    filename: attachment?.name,
    actions: actions.length > 0 ? actions : undefined,
  };
}

/**
 * A shell line that publishes the same message again. It is JSON, so nothing in it means anything to a shell: no quote,
 * no leading `@`, no control character. Holds no credentials.
 */
export function messageCurl(address: ServerAddress, event: MessageEvent): string {
  const json = visible(JSON.stringify(publication(event)))
    .replaceAll("\\\\", "\\u005c")
    .replaceAll("'", "\\u0027");
  return shellLine("curl", "-d", json, `${address}/`);
}

export function copyLinkTo(app: App, row: StoredMessage): Promise<boolean> {
  return copyText(app, app.navigation.linkTo(row));
}

/** A message's text for the clipboard; the base64 itself if it isn't text. */
function textOf(event: MessageEvent): string {
  const content = messageText(event);
  return content.kind === "text" ? content.text : event.message;
}

/**
 * What can be done with a message: from its menu, beside it, by key or by swiping.
 * @param behind the repeats that it represents in its feed (docs/design.md §6), to which most changes apply too
 * @param leave called before it leaves the feed; what it returns is called once an undo has brought it back
 */
export function rowActions(
  app: App,
  row: StoredMessage,
  behind: readonly StoredMessage[] = [],
  leave: () => (() => void) | undefined = () => undefined,
): Record<"read" | "star" | "done" | "snooze" | "delete" | "send", MenuItem> {
  const strings = rowStrings.message;
  const { triage } = rowStrings;
  const unread = marksRead([row, ...behind]);
  const isDone = row.doneAtMs !== undefined;
  const all: Chosen = { keys: [row, ...behind].map(keyOf) };
  return {
    read: {
      label: unread ? strings.markRead : strings.markUnread,
      icon: unread ? "read" : "unread",
      run: () => setMark(app, all, { kind: "read", on: unread }),
    },
    star: {
      label: row.starred ? strings.unstar : strings.star,
      icon: "star",
      run: () => setMark(app, { keys: [keyOf(row)] }, { kind: "starred", on: row.starred === undefined }),
    },
    done: {
      label: isDone ? strings.notDone : strings.done,
      icon: "archive",
      run: () => setMark(app, all, { kind: "done", on: !isDone }, isDone ? triage.notDone : triage.done, leave()),
    },
    snooze: {
      label: strings.snooze,
      icon: "snooze",
      run: () => app.dialogs.open({ kind: "snooze", chosen: all, isSnoozed: row.snoozedUntilMs !== undefined }),
    },
    delete: {
      label: row.scheduled ? strings.cancelDelivery : strings.delete,
      icon: "trash",
      run: () => deleteMessage(app, row, all, leave()),
    },
    send: { label: strings.sendNow, icon: "send", run: () => sendNow(app, row) },
  };
}

/** The actions on a message that are one press away; marks apply only to delivered ones. */
export function quickActions(row: StoredMessage, actions: ReturnType<typeof rowActions>): MenuItem[] {
  const { read, star, done, snooze, send } = actions;
  if (row.scheduled === undefined) return [read, star, done, snooze];
  return canRepublish(row.event) ? [send] : [];
}

/** Everything that can be done with a message; it applies to its hidden repeats where that makes sense. */
export function rowMenu(app: App, row: StoredMessage, behind: readonly StoredMessage[] = []): MenuItem[] {
  const strings = rowStrings.message;
  const muted = isMuted(app.catalogue.subscription(row.subId)?.mutedUntilMs, app.clock.minuteMs);
  const actions = rowActions(app, row, behind);
  const mute: MenuItem = {
    label: frameStrings.menu.mute,
    icon: "bell-off",
    run: () => app.dialogs.open({ kind: "mute", subId: row.subId }),
  };
  const hide = row.scheduled ? undefined : hideAction(app, row);
  return [
    ...quickActions(row, actions),
    {
      label: strings.copyText,
      icon: "copy",
      apart: true,
      run: () => copyText(app, textOf(row.event)),
    },
    ...(muted ? [] : [mute]),
    ...(hide ? [hide] : []),
    { ...actions.delete, apart: true },
  ];
}
