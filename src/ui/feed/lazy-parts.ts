// Parts of a feed that aren't part of the first load.
import { lazily } from "../parts/lazily.svelte";

/** The filter box's view of a filter: its conditions as chips, and how many messages it finds. */
export const filterParts = lazily(async () => {
  const [chip, count] = await Promise.all([import("./FilterChip.svelte"), import("./FoundCount.svelte")]);
  return { FilterChip: chip.default, FoundCount: count.default };
});

/** The most common filters, for phones. */
export const quickFilters = lazily(async () => (await import("./QuickFilters.svelte")).default);

/** Completion and faults of the filter box. */
export const filterHelp = lazily(async () => {
  const [help, mark] = await Promise.all([import("./FilterHelp.svelte"), import("./FaultMark.svelte")]);
  return { Help: help.default, FaultMark: mark.default };
});
