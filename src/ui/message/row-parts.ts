// The parts of rows that have more than text: loaded when the first such row is shown.
import "./fixed-width.css";
export { default as Actions } from "./Actions.svelte";
export { default as IconImage } from "./IconImage.svelte";
export { default as MarkdownBody } from "./MarkdownBody.svelte";
export { default as Tags } from "./Tags.svelte";
export { isFixedWidth } from "./fixed-width";
export { default as Updated } from "./Updated.svelte";
