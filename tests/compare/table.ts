import { median, quantile } from "../bench/statistics";

/** One thing that was tried. */
export interface Row {
  what: string;
  /** What is shown of it. */
  cell: string;
  /** All values, where something was measured. */
  values?: readonly number[];
}

/** What was tried with a client. */
export interface Result {
  client: string;
  rows: readonly Row[];
  /** Hosts other than its own that were asked for in all trials, but for those of pictures that messages name. */
  otherHosts: readonly string[];
}

const SECOND_MS = 1_000;
const MB_KB = 1_000;

/** A duration, ms, as it is shown: in seconds from one second on. */
export function duration(ms: number): string {
  if (ms < SECOND_MS) return `${ms.toFixed(0)} ms`;
  return `${(ms / SECOND_MS).toFixed(ms < 100 * SECOND_MS ? 1 : 0)} s`;
}

/** An amount, KB, as it is shown. */
export const amount = (kb: number): string => (kb < MB_KB ? `${kb.toFixed(0)} KB` : `${(kb / MB_KB).toFixed(1)} MB`);

/** A row with the middle of several durations, ms. Those that ended without what was waited for are `undefined`. */
export function medianRow(what: string, found: readonly (number | undefined)[], longestMs: number): Row {
  const values = found.filter((ms) => ms !== undefined);
  if (values.length < found.length) {
    const times = found.length > 1 ? ` in ${found.length - values.length} of ${found.length}` : "";
    return { what, cell: `not within ${longestMs / SECOND_MS} s${times}`, values };
  }
  return { what, cell: duration(median(values)), values };
}

/** A row with the duration below which 95 of 100 lie, ms. */
export const p95Row = (what: string, values: readonly number[]): Row => ({
  what,
  cell: duration(quantile(values, 0.95)),
  values,
});

/** Replaces the rows that were tried again, and adds new ones at the end. */
export function mergedRows(before: readonly Row[], now: readonly Row[]): Row[] {
  const again = new Map(now.map((row) => [row.what, row]));
  const kept = before.map((row) => again.get(row.what) ?? row);
  const known = new Set(before.map(({ what }) => what));
  return [...kept, ...now.filter(({ what }) => !known.has(what))];
}

/** The table of all results in Markdown, its rows in the given order. */
export function comparisonOf(results: readonly Result[], order: readonly string[]): string {
  const known = new Set(results.flatMap(({ rows }) => rows.map(({ what }) => what)));
  const cells = results.map(({ rows }) => new Map(rows.map(({ what, cell }) => [what, cell])));
  const lines = [
    ["what", ...results.map(({ client }) => client)],
    ["---", ...results.map(() => "---")],
    ...order.filter((what) => known.has(what)).map((what) => [what, ...cells.map((of) => of.get(what) ?? "not tried")]),
  ];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}
