// The plugins of the build, for vite.config.ts. None of this runs in the app.
export { chunks } from "./chunks.ts";
export { emojiTablePlugin } from "./emoji-table.ts";
export { page } from "./page.ts";
export { compressAssets, listPrecached, serviceWorker } from "./service-worker.ts";
