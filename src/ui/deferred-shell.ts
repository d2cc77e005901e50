// The deferred shell: what surrounds the rows of a feed and acts on them. One file, fetched once the first rows are
// drawn.
export { default as FilterBox } from "./feed/FilterBox.svelte";
export { default as GapLine } from "./feed/GapLine.svelte";
export { default as NewPill } from "./feed/NewPill.svelte";
export { default as UnreadLine } from "./feed/UnreadLine.svelte";
export { measureSpan } from "./feed/span";
export { markRead } from "./message/marks";
export { default as RowTools } from "./message/RowTools.svelte";
export { default as BottomBar } from "./shell/BottomBar.svelte";
export { default as FeedTools } from "./shell/FeedTools.svelte";
export { default as Foot } from "./shell/Foot.svelte";
export { default as Rail } from "./shell/Rail.svelte";
export { default as Strips } from "./shell/Strips.svelte";
export { default as ViewState } from "./shell/ViewState.svelte";
export { moreIcons } from "./parts/more-icons";
