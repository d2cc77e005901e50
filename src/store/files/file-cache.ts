// The files themselves: in Cache Storage, which stores a file as it streams in, whole or not at all
// (docs/decisions/0043-files-that-are-kept.md).
import { FILE_CACHE } from "../../contract";

/** Whether the browser has such a cache: not over plain http. */
export function hasFileCache(): boolean {
  return (globalThis.caches as CacheStorage | undefined) !== undefined;
}

/** Opens the cache. Undefined where the browser has none or refuses it (some private windows). */
export async function openFileCache(): Promise<Cache | undefined> {
  return hasFileCache() ? caches.open(FILE_CACHE).catch(() => undefined) : undefined;
}

/** The names of all files in it. */
export async function namesIn(cache: Cache): Promise<string[]> {
  return (await cache.keys()).map(({ url }) => url);
}
