import { deferred } from "../parts/lazily.svelte";

/** What surrounds a view: undefined until the first rows are drawn and it is loaded. */
export const deferredShell = deferred(() => import("./deferred-parts"));
