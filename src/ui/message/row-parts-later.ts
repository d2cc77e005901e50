import { lazily } from "../parts/lazily.svelte";

/** What a row of more than text needs. No part of the first load; apart from `body-parts`, which these parts use themselves. */
export const rowParts = lazily(() => import("./row-parts"));
