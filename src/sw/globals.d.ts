/** The files to keep, inserted by build.ts. */
declare const __PRECACHED__: { url: string; revision: string | null }[];
