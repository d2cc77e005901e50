import type { FilterTerm } from "../../contract";
import type { AbsenceShown } from "../state/absence-shown.svelte";
import { isoTime } from "../strings/dates";

const MINUTE_MS = 60_000;

/** A moment as a filter has it: in UTC, to the minute. */
function written(ms: number): string {
  return `${isoTime(ms).slice(0, 16)}Z`;
}

/**
 * The conditions that leave only what came in an absence. A message may have come later than its own time says, so they
 * begin with the earliest of the summary.
 */
export function during({ absence, summary }: Pick<AbsenceShown, "absence" | "summary">): FilterTerm[] {
  const rows = [summary.urgent, summary.high, summary.others].flatMap((group) => group.rows);
  const fromMs = rows.reduce((least, { time }) => Math.min(least, time * 1_000), absence.fromMs);
  const toMs = rows.reduce((most, { time }) => Math.max(most, time * 1_000), absence.toMs);
  return [
    { kind: "after", written: written(fromMs), not: false },
    // The next whole minute, as a filter's moments have no seconds.
    { kind: "before", written: written(toMs + MINUTE_MS), not: false },
  ];
}
