import { type StoredMessage, rowKey } from "../../contract";
import type { GapRecord } from "../../client";
import { toMs } from "../../protocol";
import { dayOf } from "../strings";

/** A span in which something may be missing, of one topic or of several that share it. Server time, seconds. */
export type Gap = Omit<GapRecord, "subId"> & { subIds: number[] };

/** The items of a feed, from top to bottom. */
export type FeedItem =
  | { kind: "row"; key: string; row: StoredMessage; position: number }
  /** A heading; `at` is some moment of the day, ms. */
  | { kind: "day"; key: string; at: number }
  | { kind: "gap"; key: string; gap: Gap }
  /** What is above the first day, outside the feed. */
  | { kind: "head"; key: "head" };

/** Joins gaps with equal spans and causes: an unreachable server leaves the same gap in each topic. Newest first. */
export function joinGaps(gaps: readonly GapRecord[]): Gap[] {
  const joined = new Map<string, Gap>();
  for (const { subId, ...span } of gaps) {
    const key = [span.from, span.to, span.forgot, span.cut].join("-");
    const gap = joined.get(key) ?? { ...span, subIds: [] };
    gap.subIds.push(subId);
    joined.set(key, gap);
  }
  return [...joined.values()].sort((a, b) => b.to - a.to);
}

/**
 * Arranges rows with a heading for each day and a line for each gap. If more rows are stored beyond an end, gaps there
 * are left out, because they belong to rows not read yet.
 *
 * @param timeOf moment that decides a row's day, ms; by default the message's time
 */
export function feedItems(
  rows: readonly StoredMessage[],
  gaps: readonly Gap[],
  more: { newer: boolean; older: boolean },
  timeOf: (row: StoredMessage) => number = ({ time }) => toMs(time),
): FeedItem[] {
  const items: FeedItem[] = [];
  const newest = more.newer ? (rows[0]?.time ?? -Infinity) : Infinity;
  let nextGap = gaps.filter((gap) => gap.to > newest).length;
  const addGaps = (until: number): void => {
    for (; nextGap < gaps.length; nextGap++) {
      const gap = gaps[nextGap];
      if (!gap || gap.to <= until) return;
      items.push({ kind: "gap", key: `gap ${String(gap.from)}-${String(gap.to)}-${gap.subIds.join()}`, gap });
    }
  };
  let day = "";
  rows.forEach((row, position) => {
    addGaps(row.time);
    const at = timeOf(row);
    const rowDay = dayOf(at);
    if (rowDay !== day) items.push({ kind: "day", key: `day ${rowDay}`, at });
    day = rowDay;
    items.push({ kind: "row", key: rowKey(row), row, position });
  });
  if (!more.older) addGaps(-Infinity);
  return items;
}
