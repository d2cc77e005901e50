// How messages enter the feed: as they arrive, or when they fall due.
import { type HeldBack, type StoredMessage, type AlertFacts, whyNoAlert } from "../../contract";
import type { IngestBatch } from "../changes";
import type { MessageWriter } from "./message-writer";
import type { EnteringVersion } from "./reduce-sequence";

/** Claims a row's alert by marking it, or notes why there is none. What isn't due is judged later. */
export function claimAlert(row: StoredMessage, facts: AlertFacts): boolean {
  if (row.alertedAtMs !== undefined || row.scheduled) return false;
  const why = whyNoAlert(row, facts);
  if (why) row.noAlert = why;
  else row.alertedAtMs = facts.nowMs;
  return !why;
}

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

/** Writes the rows that enter, new or previously scheduled, each with its claim or why there is none. */
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
