import { lazily } from "../parts/lazily.svelte";
import { firstRows } from "../state/first-rows";

/**
 * What a row with more than text needs: undefined until the first rows are on the screen and it is loaded. It is
 * separate from `body-parts`, which these parts import themselves.
 */
export const rowParts = lazily(async () => {
  await firstRows;
  return import("./row-parts");
});
