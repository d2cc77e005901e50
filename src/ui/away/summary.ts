import { priorityOf, type StoredMessage } from "../../protocol";

/** The messages of one level of urgency. */
export interface Group {
  rows: StoredMessage[];
  /** How many messages of each topic, the most first. */
  topics: { subId: number; count: number }[];
}

/** What came during an absence and is still unread. */
export interface Summary {
  count: number;
  /** It covers only the newest messages: more came than were read for it. */
  isPart: boolean;
  urgent: Group;
  high: Group;
  others: Group;
}

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

function groupOf(rows: StoredMessage[]): Group {
  const counts = new Map<number, number>();
  for (const { subId } of rows) counts.set(subId, (counts.get(subId) ?? 0) + 1);
  const topics = [...counts].map(([subId, count]) => ({ subId, count }));
  return { rows, topics: topics.sort((a, b) => b.count - a.count) };
}
