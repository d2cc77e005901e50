import type { ExtraHeaders } from "../protocol";
import { FILE_CACHE, keptFileName, type MessageKey, safeType } from "../contract";

/** How long a file may take, ms: one of the largest size takes about that long at 1 Mbit/s. */
const WITHIN_MS = 120_000;

/** A file larger than this, bytes, loads only when the user asks: it takes long to load, and much memory to draw. */
export const MAX_FILE_BYTES = 10_000_000;

/**
 * Fetches a picture or recording that a message names, to show it: without cookies or other credentials, without
 * following redirects, and with the extra headers of its server. Undefined if there is no file, if it redirects, or if
 * it is larger than `MAX_FILE_BYTES`.
 */
export async function fetchMedia(href: string, headers?: ExtraHeaders): Promise<Blob | undefined> {
  const aborter = new AbortController();
  const timer = setTimeout(() => aborter.abort(), WITHIN_MS);
  try {
    const response = await fetch(href, {
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      // A file never changes, so drawing it again doesn't ask the server again.
      cache: "force-cache",
      // Messages have priority.
      priority: "low",
      ...(headers && { headers }),
      signal: aborter.signal,
    });
    return response.ok ? await read(response) : undefined;
  } catch {
    // No answer, a redirect, or an answer that this page may not read.
    return undefined;
  } finally {
    clearTimeout(timer);
    aborter.abort();
  }
}

async function read(response: Response): Promise<Blob | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return new Blob(chunks, { type: safeType(response.headers.get("Content-Type") ?? "") });
    bytes += chunk.value.length;
    if (bytes > MAX_FILE_BYTES) return undefined;
    chunks.push(chunk.value);
  }
}

/** Finds a message's file on this device, without any request; undefined = it isn't kept. */
export async function keptCopy(key: MessageKey): Promise<Response | undefined> {
  const storage = globalThis.caches as CacheStorage | undefined;
  try {
    return await storage?.match(keptFileName(key), { cacheName: FILE_CACHE });
  } catch (thrown) {
    // The browser forbids this site to store anything.
    if (thrown instanceof DOMException) return undefined;
    throw thrown;
  }
}
