// The space of each topic's messages, and what retention would remove.
import type { Reader, SubscriptionRecord } from "../../client";
import { DAY_MS } from "../../protocol";

/** How many of a topic's newest messages are measured: measuring all would mean reading all. */
const SAMPLE = 50;

/** The average length of a topic's messages in bytes of JSON, by `subId`. */
export async function messageBytes(reader: Reader, subIds: readonly number[]): Promise<Map<number, number>> {
  const averages = new Map<number, number>();
  const encoder = new TextEncoder();
  for (const subId of subIds) {
    const { rows } = await reader.page({ subIds: [subId], list: "feed", direction: "older", count: SAMPLE, nowMs: 0 });
    const sum = rows.reduce((bytes, row) => bytes + encoder.encode(JSON.stringify(row)).length, 0);
    if (rows.length > 0) averages.set(subId, sum / rows.length);
  }
  return averages;
}

/** How many messages retention would remove now, ignoring stars. @param added how many more there would be */
export async function outdatedOf(
  reader: Reader,
  subscriptions: readonly Pick<SubscriptionRecord, "subId" | "keepDays" | "keepMessages" | "total">[],
  {
    keepDays,
    keepMessages,
    nowMs,
    added = 0,
  }: { keepDays: number; keepMessages: number; nowMs: number; added?: number },
): Promise<number> {
  let old = 0;
  let counted = 0;
  for (const { subId, keepDays: own, keepMessages: most, total } of subscriptions) {
    const days = own ?? keepDays;
    const before = days === 0 ? -Infinity : Math.floor(nowMs / DAY_MS) - days;
    const counts = days === 0 ? [] : await reader.days([subId]);
    const outdated = counts.reduce((sum, { day, count }) => sum + (day < before ? count : 0), 0);
    old += outdated;
    // A topic with a limit of its own, or kept for ever, does not count towards the limit for all.
    if (most !== undefined) old += Math.max(0, total - outdated - most);
    else if (own !== 0) counted += total - outdated;
  }
  return old + (keepMessages === 0 ? 0 : Math.max(0, counted + added - keepMessages));
}
