// How messages enter the feed: as they arrive, or when they fall due.
import type { HeldBack, StoredMessage } from "../contract";
import type { IngestBatch } from "./changes";
import { claimAlert } from "./claim-alert";
import type { MessageWriter } from "./message-writer";
import type { EnteringVersion } from "./sequence-arrivals";

/** A scheduled row as it is once delivered. */
export function delivered(row: StoredMessage): StoredMessage {
  const after = { ...row };
  delete after.scheduled;
  return after;
}

/** Whether the version wasn't superseded or deleted before it entered. */
export function isShown({ row }: EnteringVersion): boolean {
  return row.supersededBy === undefined && row.deletedAtMs === undefined;
}

/**
 * Writes the rows that enter, each with its claim to alert or why there is none: new rows, and rows that were listed as
 * scheduled.
 */
export function write(
  writer: MessageWriter,
  entering: readonly EnteringVersion[],
  { alerts: mayAlert, nowMs }: Pick<IngestBatch, "alerts" | "nowMs">,
  heldBack?: HeldBack,
): { added: StoredMessage[]; settled: StoredMessage[]; alerts: StoredMessage[] } {
  const added: StoredMessage[] = [];
  const settled: StoredMessage[] = [];
  const alerts: StoredMessage[] = [];
  for (const version of entering) {
    const { row, before, isUnsure } = version;
    const topic = writer.subscription(row.subId);
    if (topic && claimAlert(row, { isHistory: !mayAlert, isUnsure, topic, nowMs, heldBack })) alerts.push(row);
    if (before) writer.replace(before, row);
    else writer.insert(row);
    if (isShown(version)) (before ? settled : added).push(row);
  }
  return { added, settled, alerts };
}
