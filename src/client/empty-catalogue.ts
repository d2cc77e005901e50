import { DEFAULT_SETTINGS, type Catalogue } from "../store";

/** What a page shows when it can't read the small tables. */
export const EMPTY_CATALOGUE: Catalogue = {
  servers: [],
  accounts: [],
  subscriptions: [],
  views: [],
  gaps: [],
  settings: DEFAULT_SETTINGS,
  total: 0,
  lastArrival: 0,
};
