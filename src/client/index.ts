export * from "./connect";
export type { Inspection } from "./probe";
// The page sees what is stored only through the client, so the client re-exports these types.
export type * from "../store";
export { BACKED_UP_SETTINGS } from "../store";
export { EMPTY_CATALOGUE } from "./guarded-reads";
export { fetchMedia, keptCopy, MAX_FILE_BYTES } from "./fetch-media";
export { webAppDatabases, webAppTables } from "./web-app-tables";
export { trustedScriptUrl } from "./open-worker";
