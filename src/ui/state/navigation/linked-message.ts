import { keyOf, type ServerStatus } from "../../../contract";
import { toMs } from "../../../protocol";
import { appStrings } from "../../strings";
import type { App } from "../app.svelte";

/** A message named by a link, until it is found here. */
export interface LinkedMessage {
  id: string;
  /** Unix seconds. */
  at: number;
  /** When the link was followed. Device clock, ms. */
  sinceMs: number;
  /** Whether the user was told that it isn't here. It may still come. */
  isMissed: boolean;
}

/** Whether nothing under way at its server can bring the message, so that "it isn't here" stays true for a while. */
export function isSettled({ at, sinceMs }: LinkedMessage, status: ServerStatus | undefined): boolean {
  switch (status?.state.kind) {
    case undefined:
    case "idle":
    case "connecting":
      return false;
    case "live":
      // A complete check after that second would have brought it.
      return (status.lastCompleteAtMs ?? 0) > Math.min(toMs(at + 1), sinceMs);
    default:
      return true;
  }
}

/**
 * Shows the message a link names if it is stored; call it again when that may have changed. It may not have arrived
 * yet, or the page may still be asking about its topic.
 */
export async function findLinked({
  client,
  catalogue,
  pane,
  selection,
  notices,
}: Pick<App, "client" | "catalogue" | "pane" | "selection" | "notices">): Promise<void> {
  const { linked } = selection;
  if (!linked) return;
  for (const { subId } of pane.covered) {
    const read = await client.read((reader) => reader.find(subId, linked.id, linked.at));
    if (!read.ok || selection.linked !== linked) return;
    const found = read.value;
    if (found) return selection.showLinked(keyOf(found));
  }
  if (linked.isMissed || pane.unsubscribed.length > 0) return;
  if (!pane.covered.every(({ serverId }) => isSettled(linked, catalogue.status(serverId)))) return;
  linked.isMissed = true;
  notices.show({ text: appStrings.common.noSuchMessage });
}
