import type { StoredMessage } from "../../contract";
import { countRuns, RepeatRuns, runKeyFor, type Run } from "../message/repeat-runs";
import { priorityOf } from "../../protocol";
import type { AbsenceSummary, SummaryGroup } from "../state/absence-shown.svelte";

/**
 * Sums up messages, newest first, by urgency and topic.
 * @param folds whether a topic's repeats are folded, and so counted as one
 */
export function sumUp(
  rows: readonly StoredMessage[],
  isPart: boolean,
  folds: (subId: number) => boolean,
): AbsenceSummary {
  const runs = new RepeatRuns(runKeyFor({ terms: [] }), folds).take(rows);
  const within = (least: number, most: number): readonly Run[] =>
    runs.filter(({ rows: [row] }) => row && priorityOf(row.event) >= least && priorityOf(row.event) <= most);
  return {
    count: rows.length,
    isPart,
    urgent: groupOf(within(5, 5)),
    high: groupOf(within(4, 4)),
    others: groupOf(within(1, 3)),
  };
}

function groupOf(runs: readonly Run[]): SummaryGroup {
  const counts = new Map<number, number>();
  for (const run of runs) {
    const subId = run.rows[0]?.subId ?? 0;
    counts.set(subId, (counts.get(subId) ?? 0) + countRuns([run]).shown);
  }
  const topics = [...counts].map(([subId, count]) => ({ subId, count }));
  return {
    rows: runs.flatMap((run) => run.rows),
    count: countRuns(runs).shown,
    topics: topics.sort((a, b) => b.count - a.count),
  };
}
