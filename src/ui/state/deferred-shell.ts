import { lazily } from "../parts/lazily.svelte";
import { firstRows } from "./first-rows";

/**
 * The deferred shell: undefined until the first rows are drawn and it is loaded. A component that reads it in its
 * template is updated then.
 */
export const deferredShell = lazily(async () => {
  await firstRows;
  return import("../deferred-shell");
});
