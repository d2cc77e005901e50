import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

/** The encodings that the page is sent in, the smallest first, with what makes them. */
const ENCODERS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
type Encoding = keyof typeof ENCODERS;

/** The page in one encoding. */
export interface EncodedPage {
  encoding: Encoding;
  bytes: Buffer;
  etag: string;
}

/** The best encoding that an `Accept-Encoding` allows; undefined if the page must be sent as it is. */
function acceptedOf(header: string): Encoding | undefined {
  const accepted = header.split(",").flatMap((one) => {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name];
  });
  return (["br", "gzip"] as const).find((encoding) => accepted.includes(encoding));
}

/** By path and encoding. All servers of a process share them: compressing a page takes as long as a server's start. */
const kept = new Map<string, EncodedPage & { version: string }>();

/**
 * Reads a page that is sent compressed. The build doesn't compress it, as people who host the app edit it: it is done once
 * for each version of the file, when it is first asked for.
 * @returns a function that takes a request's `Accept-Encoding`
 */
export function encodedPage(path: string): (accepted: string) => Promise<EncodedPage | undefined> {
  return async (accepted) => {
    const encoding = acceptedOf(accepted);
    if (!encoding) return undefined;
    const { size, mtimeMs } = await stat(path);
    const version = `${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}`;
    const key = `${encoding} ${path}`;
    const before = kept.get(key);
    if (before?.version === version) return before;
    const bytes = await ENCODERS[encoding](await readFile(path));
    const page = { encoding, bytes, version, etag: `W/"${version}-${encoding}"` };
    kept.set(key, page);
    return page;
  };
}
