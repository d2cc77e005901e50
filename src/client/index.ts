export * from "./client";
export type { Inspection } from "./inspect";
// The page sees what is stored only through the client, so the client re-exports these types.
export type {
  AccountRecord,
  AllowedRequest,
  Catalogue,
  CountQuery,
  Damage,
  DayCount,
  Display,
  FirstTables,
  GapRecord,
  Matches,
  NewestSummary,
  Page,
  PageQuery,
  Reader,
  SequenceRecord,
  ServerRecord,
  Settings,
  StoreError,
  SubscriptionRecord,
  SwipeAction,
  TagCount,
  ViewRecord,
} from "../store";
export { BACKED_UP_SETTINGS, BROUGHT_BY, splitTopic } from "../store";
export { connect } from "./connect";
export { EMPTY_CATALOGUE } from "./empty-catalogue";
export { fetchMedia, MAX_FILE_BYTES } from "./fetch-media";
export { hasMessages, mayHaveHostFile } from "./look-around";
export { keptCopy, type KeptCopy } from "./kept-copy";
export { webAppDatabases, webAppTables } from "./web-app-tables";
export { trustedScriptUrl } from "./trusted-script-url";
export { closeOpening, readFirst } from "../store";
