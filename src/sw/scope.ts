/**
 * Whether a navigation is to the app itself: the root of the worker's scope, with any query (a share has one).
 *
 * Everything else is left to the network. On a topic server's own origin the scope contains streams, attachments and
 * raw links, and a cold load of `/<topic>` must reach the server, which redirects it to `#/<topic>` (docs/design.md
 * §3).
 *
 * @param url address of the navigation
 * @param scope the registration's scope, ending in a slash
 */
export function isAppNavigation(url: URL, scope: string): boolean {
  const root = new URL(scope);
  if (url.origin !== root.origin) return false;
  return url.pathname === root.pathname || url.pathname === `${root.pathname}index.html`;
}
