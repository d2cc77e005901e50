/** Name of this build, put in by vite.config.ts; sorts by age. */
declare const __BUILD__: string;

/** Puts an IndexedDB in memory in the place of the browser's; the package declares no types for this entry. */
declare module "fake-indexeddb/auto";
