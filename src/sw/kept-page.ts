import { matchPrecache } from "workbox-precaching";

const PREFIX = "earshot-page-";

/**
 * The cache that holds one version's page by its own address, for a route that answers without a service worker.
 * @param revision of the page
 */
export const pageCacheName = (revision: string): string => PREFIX + revision;

/** Puts the page that is kept with the other files there as well, and drops those of other versions. */
export async function keepPage(scope: string, revision: string): Promise<void> {
  const page = await matchPrecache("index.html");
  // Gone with all that is kept: the network has it.
  if (page) await (await caches.open(pageCacheName(revision))).put(scope, page);
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== pageCacheName(revision));
  await Promise.all(others.map((name) => caches.delete(name)));
}
