/** The files to keep, put in by build.ts. */
declare const __PRECACHED__: { url: string; revision: string | null }[];

/** In Chromium alone so far, and not in TypeScript's libraries. */
interface InstallEvent extends ExtendableEvent {
  addRoutes?(routes: object[]): Promise<void>;
}
