import { DEFAULT_SETTINGS, type Catalogue } from "../store";

/** What a page shows of the small tables that it can't read. */
export const EMPTY_CATALOGUE: Catalogue = {
  servers: [],
  accounts: [],
  subscriptions: [],
  views: [],
  gaps: [],
  settings: DEFAULT_SETTINGS,
  total: 0,
};
