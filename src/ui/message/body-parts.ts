// What shows the bodies that are more than plain text. No part of the first load.
import { lazily } from "../parts/lazily.svelte";

/** Renders Markdown. */
export const markdownRenderer = lazily(async () => (await import("./markdown")).renderMarkdown);

/** The component that shows JSON as a tree. */
export const jsonBody = lazily(async () => (await import("./JsonBody.svelte")).default);
