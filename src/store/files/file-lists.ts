import type { KeptFileRecord } from "../schema";

/** Where messages stand whose files are kept: everywhere but among those to come. */
export const FILE_LISTS = ["feed", "done", "snoozed"] as const;

/** What kept files take together. */
export function keptBytes(records: readonly KeptFileRecord[]): number {
  return records.reduce((sum, { state }) => sum + (state.kind === "kept" ? state.bytes : 0), 0);
}
