import { lazily } from "../parts/lazily.svelte";
import { firstRows } from "../state/first-rows";

/**
 * What a row of more than text needs: undefined until the first rows are on the screen and it came. Apart from `body-parts`, which
 * these parts use themselves.
 */
export const rowParts = lazily(async () => {
  await firstRows;
  return import("./row-parts");
});
