import type { StoredMessage } from "../../contract";
import { priorityOf } from "../../protocol";
import type { Summary, SummaryGroup } from "../state/absence-shown.svelte";

/** Sums up messages, newest first, by urgency and topic. */
export function sumUp(rows: readonly StoredMessage[], isPart: boolean): Summary {
  const priority = (row: StoredMessage) => priorityOf(row.event);
  return {
    count: rows.length,
    isPart,
    urgent: groupOf(rows.filter((row) => priority(row) === 5)),
    high: groupOf(rows.filter((row) => priority(row) === 4)),
    others: groupOf(rows.filter((row) => priority(row) < 4)),
  };
}

function groupOf(rows: StoredMessage[]): SummaryGroup {
  const counts = new Map<number, number>();
  for (const { subId } of rows) counts.set(subId, (counts.get(subId) ?? 0) + 1);
  const topics = [...counts].map(([subId, count]) => ({ subId, count }));
  return { rows, topics: topics.sort((a, b) => b.count - a.count) };
}
