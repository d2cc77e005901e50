import { absoluteUrl } from "./absolute-url";

/**
 * Whether an address lies on the topic server itself, so that loading it tells nobody anything new (DESIGN, section 2,
 * promise 7). Same origin, since a path prefix may be shared by a reverse proxy.
 */
export function isOnServer(href: string, serverAddress: string): boolean {
  const url = absoluteUrl(href);
  const server = absoluteUrl(serverAddress);
  return url !== undefined && server !== undefined && server.origin !== "null" && url.origin === server.origin;
}
