/** A file that takes longer, ms, is given up: a slow one of the largest size takes about so long at 1 Mbit/s. */
const WITHIN_MS = 120_000;

/** A larger one waits for a press: it takes long to come, and much memory to be drawn. */
export const MOST_FILE_BYTES = 10_000_000;

/**
 * Fetches a picture or a recording that a message points at, for showing it: without cookies or other credentials, following no
 * redirect. Undefined where there is none, where it lies elsewhere, or where it is larger.
 */
export async function fetchFile(href: string): Promise<Blob | undefined> {
  const aborter = new AbortController();
  const timer = setTimeout(() => aborter.abort(), WITHIN_MS);
  try {
    const response = await fetch(href, {
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      // A file never changes: drawn anew, it is not asked for again.
      cache: "force-cache",
      // Messages go first.
      priority: "low",
      signal: aborter.signal,
    });
    return response.ok ? await read(response) : undefined;
  } catch {
    // No answer, or one that sends on, or that this page may not read.
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
    if (!chunk || chunk.done) return new Blob(chunks, { type: typeOf(response) });
    bytes += chunk.value.length;
    if (bytes > MOST_FILE_BYTES) return undefined;
    chunks.push(chunk.value);
  }
}

/** As bytes alone it is still shown as what it is; opened by itself, a document of the app's origin it must not be. */
function typeOf(response: Response): string {
  const type = response.headers.get("Content-Type") ?? "";
  return /^(?:image|audio|video)\/(?!svg)/i.test(type) ? type : "application/octet-stream";
}
