/** The files to keep, inserted by `src/build/service-worker.ts`. */
declare const __PRECACHED__: { url: string; revision: string | null }[];
