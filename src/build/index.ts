// The plugins of the build, for vite.config.ts. None of this runs in the app.
export { compressAssets } from "./compress-assets.ts";
export { emojiTablePlugin } from "./emoji-table.ts";
export { graphOf, type Modules } from "./module-graph.ts";
export { listPrecached, serviceWorker } from "./service-worker.ts";
export { strangersScreensPlugin } from "./strangers-screens.ts";
export { strangersStylesPlugin } from "./strangers-styles.ts";
export { styleScopes } from "./style-scopes.ts";
export { workerBesidePage } from "./worker-beside-page.ts";
