import { knownActions, messageText, type MessageEvent, type ServerAddress } from "../../protocol";
import type { App } from "../state/app.svelte";
import { copyText } from "../state/share";
import { shellLine } from "../state/shell-line";
import { rowStrings } from "../strings/rows";
import { messageStrings } from "../strings/message";
import type { Origin } from "./origin";
import { visible } from "./raw-json";

/** The fields of a message as they are published (docs/protocol.md §13, JSON form). */
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
    markdown: event.content_type === undefined ? undefined : true,
    click,
    icon,
    attach: attachment?.url,
    filename: attachment?.name,
    actions: actions.length > 0 ? actions : undefined,
  };
}

/**
 * A line for a terminal that publishes the same message again. As JSON nothing in it means anything to a shell, hides,
 * or ends the line: not a quote, not `@` in front, not a character that controls the terminal. Holds no credentials.
 */
export function messageCurl(address: ServerAddress, event: MessageEvent): string {
  const json = visible(JSON.stringify(publication(event)))
    .replaceAll("\\\\", "\\u005c")
    .replaceAll("'", "\\u0027");
  return shellLine("curl", "-d", json, `${address}/`);
}

/** Hands the line on. */
export function copyAsCurl(app: App, event: MessageEvent, { address }: Origin): Promise<boolean> {
  return copyText(app, messageCurl(address, event), {
    heading: rowStrings.message.copyByHand,
    done: messageStrings.details.curlCopied,
  });
}
