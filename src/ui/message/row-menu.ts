import { isUnread, type StoredMessage } from "../../contract";
import { canRepublish, messageText } from "../../protocol";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import { isMuted } from "../state/muted";
import { copyText } from "../state/share";
import { appStrings } from "../strings";
import { deferredShellStrings } from "../strings/deferred-shell";
import { rowStrings } from "../strings/rows";
import { askSnooze, deleteMessage, toggleDone, sendNow, toggleRead, toggleRemote, toggleStar } from "./marks";
import type { Origin } from "./origin";

/** The text of a message for the clipboard; the base64 itself where it holds no text. */
function textOf(row: StoredMessage): string {
  const content = messageText(row.event);
  return content.kind === "text" ? content.text : row.event.message;
}

/** Hands on a line for a terminal, whose code comes with the first. */
async function copyAsCurl(app: App, { event }: StoredMessage, origin: Origin): Promise<void> {
  const part = await import("./message-curl").catch(() => undefined);
  if (part) await part.copyAsCurl(app, event, origin);
  else app.notices.show({ text: appStrings.common.notLoaded });
}

/** All that can be done with one message, and where it applies with the repeats behind it. */
export function rowMenu(
  app: App,
  row: StoredMessage,
  origin: Origin,
  behind: readonly StoredMessage[] = [],
): MenuItem[] {
  const strings = rowStrings.message;
  const { event } = row;
  const topic = origin.name ?? origin.topic;
  const hasRemote = event.attachment !== undefined || event.icon !== undefined || event.content_type !== undefined;
  const unread = [row, ...behind].some(isUnread);
  const muted = isMuted(app.catalogue.subscription(row.subId)?.mutedUntilMs, app.clock.minuteMs);
  const toSend: MenuItem = { label: strings.sendNow, icon: "send", run: () => void sendNow(app, row) };
  const marks: MenuItem[] = [
    { label: unread ? strings.markRead : strings.markUnread, icon: "check", run: () => toggleRead(app, row, behind) },
    { label: row.starred ? strings.unstar : strings.star, icon: "star", run: () => toggleStar(app, row) },
    {
      label: row.doneAtMs ? strings.notDone : strings.done,
      icon: "check-all",
      run: () => void toggleDone(app, row, behind),
    },
    { label: strings.snooze, icon: "snooze", run: () => askSnooze(app, row, behind) },
  ];
  return [
    ...(row.scheduled === undefined ? marks : canRepublish(event) ? [toSend] : []),
    {
      label: strings.copyText,
      icon: "copy",
      apart: true,
      run: () => void copyText(app, textOf(row), { heading: strings.copyByHand, done: strings.textCopied }),
    },
    {
      label: strings.copyLink,
      icon: "link",
      run: () =>
        void copyText(app, app.navigation.linkTo(row), { heading: strings.copyByHand, done: strings.linkCopied }),
    },
    { label: strings.curl, icon: "copy", run: () => void copyAsCurl(app, row, origin) },
    { label: strings.raw, icon: "code", run: () => app.dialogs.open({ kind: "raw", event }) },
    ...(hasRemote
      ? [
          {
            label: origin.unasked === "all" ? strings.notAlways(topic) : strings.always(topic),
            icon: "image" as const,
            run: () => toggleRemote(app, row.subId),
          },
        ]
      : []),
    ...(muted
      ? []
      : [
          {
            label: deferredShellStrings.menu.mute,
            icon: "bell-off" as const,
            run: () => app.dialogs.open({ kind: "mute", subId: row.subId }),
          },
        ]),
    {
      label: row.scheduled ? strings.cancelDelivery : strings.delete,
      icon: "trash",
      apart: true,
      run: () => void deleteMessage(app, row, behind),
    },
  ];
}
