// What surrounds a view: the rail, the bars, the tools of its header, notices and dialogs.
export { default as BelowFeed } from "./BelowFeed.svelte";
export { default as BottomBar } from "./BottomBar.svelte";
export { default as FeedTools } from "./FeedTools.svelte";
export { default as Foot } from "./Foot.svelte";
export { default as Rail } from "./Rail.svelte";
export { default as Strips } from "./Strips.svelte";
export { default as ViewState } from "./ViewState.svelte";
