import { deferred } from "../parts/lazily.svelte";

/** What a row with more than text needs. It is separate from `body-parts`, which these parts import themselves. */
export const rowParts = deferred(() => import("./row-parts"));

/** The buttons of the row that the pointer or the focus is on. */
export const rowTools = deferred(async () => (await import("./RowTools.svelte")).default);

/** The checkbox of a row, while messages are being picked or the pointer or the focus is on it. */
export const rowPick = deferred(async () => (await import("./RowPick.svelte")).default);
