// What only some messages need to be shown. No part of the first load.
import { lazily } from "../parts/lazily.svelte";

/** Renders Markdown. */
export const markdownRenderer = lazily(async () => (await import("./markdown")).renderMarkdown);

/** The component that shows JSON as a tree. */
export const jsonBody = lazily(async () => (await import("./JsonBody.svelte")).default);

/** The component that shows a file that came with a message. */
export const attachmentCard = lazily(async () => (await import("./AttachmentCard.svelte")).default);

/** Marks the words that a search found. */
export const matchMarks = lazily(async () => (await import("./mark-matches")).markMatches);
