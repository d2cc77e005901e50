import { lazily } from "../parts/lazily.svelte";
import { firstRows } from "../state/first-rows";
import { shellWanted } from "../state/shell-wanted";

/** What surrounds a view: undefined until the first rows are drawn, and it is wanted and loaded. */
export const deferredShell = lazily(async () => {
  await firstRows;
  await shellWanted;
  return import("./deferred-parts");
});
