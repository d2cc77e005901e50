/** The name of this build, inserted by vite.config.ts; names sort by age. */
declare const __BUILD__: string;

/** Replaces the browser's IndexedDB with one in memory; the package declares no types for this entry. */
declare module "fake-indexeddb/auto";
