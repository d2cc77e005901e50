import { isMuted, type StoredMessage } from "../../contract";
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
import { frameStrings, messageStrings, rowStrings } from "../strings";
import { askSnooze, deleteMessage, marksRead, toggleDone, sendNow, toggleRead, toggleStar } from "./marks";
import type { Origin } from "./origin";
import { hideAction } from "./hide";
import { visible } from "./label";

/** A message's fields as published (docs/protocol.md §13, JSON form). */
function publication(event: MessageEvent): object {
  const { topic, title, tags, priority, click, icon, attachment } = event;
  const content = messageText(event);
  const actions = knownActions(event).map(({ id: _given, ...action }) => action);
  return {
    topic,
    message: content.kind === "text" ? content.text : event.message,
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

/** Copies the link to a message. */
export function copyLinkTo(app: App, row: StoredMessage): Promise<boolean> {
  return copyText(app, app.navigation.linkTo(row), { done: rowStrings.message.linkCopied });
}

/** Copies a line that publishes the message again. */
export function copyAsCurl(app: App, event: MessageEvent, { address }: Origin): Promise<boolean> {
  return copyText(app, messageCurl(address, event), { done: messageStrings.details.curlCopied });
}

/** A message's text for the clipboard; the base64 itself if it isn't text. */
function textOf(row: StoredMessage): string {
  const content = messageText(row.event);
  return content.kind === "text" ? content.text : row.event.message;
}

/** What can be done with a message and its hidden repeats: from its menu, beside it, or by swiping. */
export function rowActions(
  app: App,
  row: StoredMessage,
  behind: readonly StoredMessage[] = [],
): Record<"read" | "star" | "done" | "snooze" | "delete" | "send", MenuItem> {
  const strings = rowStrings.message;
  const unread = marksRead([row, ...behind]);
  return {
    read: {
      label: unread ? strings.markRead : strings.markUnread,
      icon: unread ? "read" : "unread",
      run: () => toggleRead(app, row, behind),
    },
    star: { label: row.starred ? strings.unstar : strings.star, icon: "star", run: () => toggleStar(app, row) },
    done: {
      label: row.doneAtMs ? strings.notDone : strings.done,
      icon: "archive",
      run: () => toggleDone(app, row, behind),
    },
    snooze: { label: strings.snooze, icon: "snooze", run: () => askSnooze(app, row, behind) },
    delete: {
      label: row.scheduled ? strings.cancelDelivery : strings.delete,
      icon: "trash",
      run: () => deleteMessage(app, row, behind),
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
  const hide = row.scheduled ? undefined : hideAction(app, row);
  return [
    ...quickActions(row, actions),
    {
      label: strings.copyText,
      icon: "copy",
      apart: true,
      run: () => copyText(app, textOf(row), { done: strings.textCopied }),
    },
    ...(muted
      ? []
      : [
          {
            label: frameStrings.menu.mute,
            icon: "bell-off" as const,
            run: () => app.dialogs.open({ kind: "mute", subId: row.subId }),
          },
        ]),
    ...(hide
      ? [
          {
            label: hide.isHidden ? strings.showLike : strings.hideLike,
            icon: hide.isHidden ? ("eye" as const) : ("eye-off" as const),
            run: hide.run,
          },
        ]
      : []),
    { ...actions.delete, apart: true },
  ];
}
