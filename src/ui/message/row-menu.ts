import type { StoredMessage } from "../../client";
import { messageText } from "../../protocol";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import { copyText } from "../state/share";
import { words } from "../words";
import { rowWords } from "../words/rows";
import { isUnread } from "./is-unread";
import { askSnooze, deleteMessage, toggleDone, toggleRead, toggleRemote, toggleStar } from "./marks";
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
  else app.say({ text: words.common.notLoaded });
}

/** All that can be done with one message. */
export function rowMenu(app: App, row: StoredMessage, origin: Origin): MenuItem[] {
  const said = rowWords.message;
  const { event } = row;
  const topic = origin.name ?? origin.topic;
  const hasRemote = event.attachment !== undefined || event.icon !== undefined || event.content_type !== undefined;
  return [
    { label: isUnread(row) ? said.markRead : said.markUnread, icon: "check", run: () => toggleRead(app, row) },
    { label: row.starred ? said.unstar : said.star, icon: "star", run: () => toggleStar(app, row) },
    { label: row.doneAtMs ? said.notDone : said.done, icon: "check-all", run: () => void toggleDone(app, row) },
    { label: said.snooze, icon: "snooze", run: () => askSnooze(app, row) },
    {
      label: said.copyText,
      icon: "copy",
      apart: true,
      run: () => void copyText(app, textOf(row), { heading: said.copyByHand, done: said.textCopied }),
    },
    {
      label: said.copyLink,
      icon: "link",
      run: () => void copyText(app, app.linkTo(row), { heading: said.copyByHand, done: said.linkCopied }),
    },
    { label: said.curl, icon: "copy", run: () => void copyAsCurl(app, row, origin) },
    { label: said.raw, icon: "code", run: () => (app.dialog = { kind: "raw", event }) },
    ...(hasRemote
      ? [
          {
            label: origin.unasked === "all" ? said.notAlways(topic) : said.always(topic),
            icon: "image" as const,
            run: () => toggleRemote(app, row.subId),
          },
        ]
      : []),
    { label: said.delete, icon: "trash", apart: true, run: () => void deleteMessage(app, row) },
  ];
}
