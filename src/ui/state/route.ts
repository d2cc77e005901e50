import type { Filter, ServerAddress } from "../../protocol";
import type { View } from "./view";

/** All that the fragment of the address bar says. */
export interface Route {
  view: View;
  filter: Filter;
  /** One message of the view. */
  message?: { id: string; at?: number } | undefined;
}

declare const routeFromFragment: (fragment: string, home: ServerAddress) => Route;

/** Reads the fragment of the address bar. A link that can't be read leads to a view that says so. */
export function routeOf(fragment: string, home: ServerAddress): Route {
  return routeFromFragment(fragment, home);
}

declare const fragmentFromRoute: (route: Route, home: ServerAddress) => string;

/** Writes a route as a fragment, `#/…`. */
export function fragmentOf(route: Route, home: ServerAddress): string {
  return fragmentFromRoute(route, home);
}
