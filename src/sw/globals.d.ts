/** The files to keep, inserted by `src/build/service-worker.ts`. */
declare const __PRECACHED__: { url: string; revision: string | null }[];

/** The table of emoji, made by the build (`src/build/emoji-table.ts`). */
declare module "virtual:emoji-table" {
  const lines: string;
  export default lines;
}
