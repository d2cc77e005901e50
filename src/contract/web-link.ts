import { parseServerAddress, type ServerAddress } from "../protocol";

/** A longer address, in characters, isn't a link: browsers disagree about it and nobody can read it. */
const LONGEST_LINK = 4096;

export function absoluteUrl(text: string): URL | undefined {
  if (text.length > LONGEST_LINK) return undefined;
  try {
    // Once compiled, `URL.canParse` of Node 20 refuses letters such as ü.
    return new URL(text);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * A text as an address, http or https only: what may be loaded as an image or file. Normalised by the URL parser;
 * undefined if it must not be requested (docs/protocol.md §14).
 */
export function webLink(text: string): string | undefined {
  const url = absoluteUrl(text);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : undefined;
}

/** Reads a server's address from a file or another app's data, which may hold anything. */
export function serverAddressOf(value: unknown): ServerAddress | undefined {
  const address = parseServerAddress(typeof value === "string" ? value : "");
  return address.ok ? address.value : undefined;
}

/** A file's name (docs/protocol.md §2) that is no endpoint of a topic: without attachments `file` may be a topic. */
const FILE_NAME = /^(?!(?:json|sse|ws|raw|auth|publish|send|trigger)$)[-\w]{1,64}(?:\.[A-Za-z0-9]{1,16})?$/;

/** An address with only a host and a path, captured as written. */
const PLAIN_ADDRESS = /^https?:\/\/[^/?#\\@\s]+(\/[^?#\\\s]*)$/i;

/** Whether a text is the address of an uploaded file of this server, exactly as it would be requested. */
export function isFileOf(text: string, server: ServerAddress): boolean {
  const url = absoluteUrl(text);
  const folder = `${server}/file/`;
  if (!url?.href.startsWith(folder) || !FILE_NAME.test(url.href.slice(folder.length))) return false;
  return PLAIN_ADDRESS.exec(text)?.[1] === url.pathname;
}

/** Host with port, the same for every spelling of the name, and for both schemes. */
function hostOf(url: URL): string {
  return url.host.replace(/\.(?=:|$)/, "");
}

/** Whether a GET only reads: a path with an extension, which no endpoint has, and no query. */
export function namesFile(url: URL): boolean {
  return url.search === "" && /^[-\w.~/]*\.[A-Za-z0-9]{1,16}$/.test(url.pathname);
}

/** Whether a GET might have an effect: anything on one of these servers' hosts that isn't clearly a file. */
export function mayAct(url: URL, servers: readonly string[]): boolean {
  return servers.some((server) => hostOf(new URL(server)) === hostOf(url)) && !namesFile(url);
}
