import { lazily } from "../parts/lazily.svelte";
import { firstRows } from "./first-rows";

/**
 * What stands around the rows: undefined until the first ones are drawn and it came. A component that reads it in its
 * template shows it from then on.
 */
export const deferredShell = lazily(async () => {
  await firstRows;
  return import("../deferred-shell");
});
