/** What a request must be like; URLPattern's words. */
export interface RouteCondition {
  urlPattern?: { pathname: string; search?: string; baseURL: string };
  requestMode?: RequestMode;
  or?: RouteCondition[];
  not?: RouteCondition;
}

/** A rule of the browser's own router (Service Workers, static routing). The first one that fits holds. */
export interface StaticRoute {
  condition: RouteCondition;
  source: "network" | "fetch-event" | { cacheName: string };
}

/** Where the page and what it loads are kept. */
export interface KeptIn {
  /** The page alone, by its own address: a route can't answer by another one. */
  page: string;
  /** All files, by address and revision. */
  files: string;
}

/**
 * What the browser does by itself, without starting the service worker, which takes as long as a good part of the start:
 * page and files come out of their caches, and what is none of the app's goes to the network. The rest, such as the page with
 * a query, is left to the worker, as all of it is where a browser has no such routes.
 *
 * @param scope the registration's, ending in a slash
 * @param files what is kept, as relative addresses
 */
export function staticRoutes(scope: string, files: readonly string[], kept: KeptIn): StaticRoute[] {
  const { pathname } = new URL(scope);
  const at = (path: string) => ({ urlPattern: { pathname: pathname + path, baseURL: scope } });
  const named = files.filter((file) => !file.startsWith("assets/"));
  return [
    {
      condition: { urlPattern: { pathname, search: "", baseURL: scope }, requestMode: "navigate" },
      source: { cacheName: kept.page },
    },
    // Their names change with what is in them, so that each is kept by its address alone.
    { condition: at("assets/*"), source: { cacheName: kept.files } },
    { condition: { not: { or: [at(""), ...named.map(at)] } }, source: "network" },
  ];
}
