import type { FilterTerm } from "../../contract";
import { toMs } from "../../protocol";
import type { AbsenceShown } from "../state/absence-shown.svelte";
import { isoTime } from "../strings/dates";

const MINUTE_MS = 60_000;

/** Writes a moment as filters have it: in UTC, to the minute. */
function written(ms: number): string {
  return `${isoTime(ms).slice(0, 16)}Z`;
}

/**
 * The terms of a filter that finds only what came during an absence. A message may have come later than its own time
 * says, so they begin with the earliest message of the summary.
 */
export function absenceTerms({ absence, summary }: Pick<AbsenceShown, "absence" | "summary">): FilterTerm[] {
  const rows = [summary.urgent, summary.high, summary.others].flatMap((group) => group.rows);
  const fromMs = rows.reduce((least, { time }) => Math.min(least, toMs(time)), absence.fromMs);
  const untilMs = rows.reduce((most, { time }) => Math.max(most, toMs(time)), absence.toMs);
  return [
    { kind: "after", written: written(fromMs), not: false },
    // The next whole minute, as a filter's moments have no seconds.
    { kind: "before", written: written(untilMs + MINUTE_MS), not: false },
  ];
}
