/** The files to keep, inserted by `src/build/service-worker.ts`. */
declare const __PRECACHED__: { url: string; revision: string | null; integrity?: string }[];

/** The files of languages other than English, by code, inserted likewise. */
declare const __LANGUAGES__: Readonly<Record<string, { url: string; integrity: string }>>;

/** Name of the build. */
declare const __BUILD__: string;

/** The table of emoji, made by the build (`src/build/emoji-table.ts`). */
declare module "virtual:emoji-table" {
  const lines: string;
  export default lines;
}
