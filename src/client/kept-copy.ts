import { FILE_CACHE, keptFileName, KEPT_AT_FIELD, type MessageKey } from "../contract";

/** A message's file as it is kept on this device. */
export interface KeptCopy {
  /** When it was fetched, device clock, ms. */
  atMs: number;
  /** The file. Its type is that of a picture, sound or film, or says nothing. */
  blob(): Promise<Blob>;
}

/** Looks for a message's file on this device, without any request; undefined = it isn't kept. */
export async function keptCopy(key: MessageKey): Promise<KeptCopy | undefined> {
  const storage = globalThis.caches as CacheStorage | undefined;
  try {
    const found = await storage?.match(keptFileName(key), { cacheName: FILE_CACHE });
    return found && { atMs: Number(found.headers.get(KEPT_AT_FIELD)), blob: () => found.clone().blob() };
  } catch (thrown) {
    // The browser forbids this site to store anything.
    if (thrown instanceof DOMException) return undefined;
    throw thrown;
  }
}
