import { MAX_FILE_BYTES } from "../../../client";
import { keyOf, type MessageKey, type StoredMessage, webLink } from "../../../contract";
import type { Attachment } from "../../../protocol";
import type { App } from "../../state/app.svelte";
import type { DialogProps } from "../../state/dialogs.svelte";
import { attachmentStrings as strings } from "../../strings";
import { isGone, kindOf, attachmentText } from "./attachment-kind";
import { label } from "../label";
import { linkHost } from "../body/links";
import { loadsOf } from "./loads.svelte";
import { type Origin, originOf } from "../origin";

export type Picture = DialogProps<"image"> & { key: MessageKey };

/** @param nowMs the server's clock */
export function factsOf(attachment: Attachment, origin: Origin, nowMs: number): string {
  const href = webLink(attachment.url);
  const host = href && linkHost(href);
  const isElsewhere = host !== undefined && host !== linkHost(origin.address);
  return [attachmentText(attachment, nowMs), ...(isElsewhere ? [strings.on({ host })] : [])].join(" · ");
}

/** The pictures of messages that are shown already, in order; those waiting for a press are left out. */
export function picturesOf(app: App, rows: readonly StoredMessage[]): Picture[] {
  return rows.flatMap((row) => {
    const { attachment, id } = row.event;
    const origin = originOf(app.catalogue, row.subId);
    if (!attachment || !origin || kindOf(attachment) !== "image" || webLink(attachment.url) === undefined) return [];
    const nowMs = app.catalogue.serverMs(origin.address, Date.now());
    const verdict = loadsOf(app, origin, id).judge(attachment.url);
    if (isGone(attachment, nowMs) || verdict.kind !== "load") return [];
    if ((attachment.size ?? 0) > MAX_FILE_BYTES && verdict.why !== "pressed") return [];
    const { source } = verdict;
    return [{ key: keyOf(row), source, name: label(attachment.name), facts: factsOf(attachment, origin, nowMs) }];
  });
}
