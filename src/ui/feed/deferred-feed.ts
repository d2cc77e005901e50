import { deferred } from "../parts/lazily.svelte";

/** What surrounds the rows of a feed and acts on them: undefined until the first rows are drawn and it is loaded. */
export const deferredFeed = deferred(() => import("./deferred-parts"));
