// What surrounds the rows of a feed and acts on them.
export { markRead } from "../message/marks";
export { default as FilterBox } from "./FilterBox.svelte";
export { default as FoldLine } from "./FoldLine.svelte";
export { default as GapLine } from "./GapLine.svelte";
export { default as NewPill } from "./NewPill.svelte";
export { default as UnreadLine } from "./UnreadLine.svelte";
export { measureSpan } from "./span";
