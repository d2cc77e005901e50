/** The files to keep, put in by build.ts. */
declare const __PRECACHED__: { url: string; revision: string | null }[];
