import type { ServerAddress } from "../../protocol";
import { absoluteUrl, webLink } from "../../contract";
import type { LoadAddress, LoadSource } from "../state/load-source";
import type { Unasked } from "./origin";

/** What became of an address in this message until now. */
export type LoadPast = "untried" | "pressed" | "failed";

/** What may be done with an address that a message brings. */
export type LoadVerdict =
  /** No address that can be loaded. */
  | { kind: "none" }
  /** It is a placeholder until it is pressed; `failed`: it was tried, and is not tried again unasked. */
  | { kind: "ask"; href: string; failed: boolean }
  | { kind: "load"; source: LoadSource; why: "pressed" | "file" | "allowed" };

/** Where the message came from, and what must not be asked on its word. */
export interface LoadPlace {
  address: ServerAddress;
  unasked: Unasked;
  /** Every server that is subscribed: a GET there can act, as it publishes, or counts a failed sign-in. */
  servers: readonly ServerAddress[];
  /** Origin of the app itself, for which the browser keeps cookies, and where a topic server may be. */
  appOrigin: string;
}

/**
 * The name of an uploaded file (docs/protocol.md §2), and no more: an id with one extension. A topic's endpoint is not
 * an id, as a server without attachments may treat `file` as a topic.
 */
const FILE_NAME = /^(?!(?:json|sse|ws|raw|auth|publish|send|trigger)$)[-\w]{1,64}(?:\.[A-Za-z0-9]{1,16})?$/;

/** An address with nothing but a host and a path, which it captures as it is written. */
const PLAIN_ADDRESS = /^https?:\/\/[^/?#\\@\s]+(\/[^?#\\\s]*)$/i;

/**
 * Whether a text is the address of an uploaded file of this server, with nothing in it that its reader would have to
 * repair.
 */
export function isFileOf(text: string, server: ServerAddress): boolean {
  const url = absoluteUrl(text);
  const folder = `${server}/file/`;
  if (!url?.href.startsWith(folder) || !FILE_NAME.test(url.href.slice(folder.length))) return false;
  return PLAIN_ADDRESS.exec(text)?.[1] === url.pathname;
}

/** Host with port, the same for the two ways to write a name, and for both schemes. */
function hostOf(url: URL): string {
  return url.host.replace(/\.(?=:|$)/, "");
}

/**
 * Whether a GET might have an effect: on the host of a topic server, anything but a path with an extension, which no
 * endpoint of the protocol has, and without a query, which can hold messages and passwords.
 */
function mayAct(url: URL, { address, servers, appOrigin }: LoadPlace): boolean {
  if (![address, ...servers, appOrigin].some((server) => hostOf(new URL(server)) === hostOf(url))) return false;
  return url.search !== "" || !/^[-\w.~/]*\.[A-Za-z0-9]{1,16}$/.test(url.pathname);
}

/**
 * Decides what may be done with an address that a message brings: for its icon, its attachment, an image in its text,
 * in whatever view (docs/design.md §2, promise 7).
 */
export function judgeLoad(text: string, place: LoadPlace, past: LoadPast): LoadVerdict {
  const href = webLink(text);
  if (href === undefined) return { kind: "none" };
  const url = new URL(href);
  const load = (why: "pressed" | "file" | "allowed", by: LoadSource["by"]): LoadVerdict => ({
    kind: "load",
    source: { href: href as LoadAddress, by },
    why,
  });
  const isFile = isFileOf(text, place.address);
  // The browser would send the app's own cookies along; only for a file that is wanted they do no harm.
  const by = url.origin === place.appOrigin && !isFile ? "fetch" : "element";
  if (past === "pressed") return load("pressed", by);
  const ask: LoadVerdict = { kind: "ask", href, failed: past === "failed" };
  if (past === "failed" || place.unasked === "nothing") return ask;
  if (isFile) return load("file", "fetch");
  if (place.unasked === "files" || url.username !== "" || url.password !== "") return ask;
  if (place.servers.some((server) => isFileOf(text, server))) return load("allowed", "fetch");
  return mayAct(url, place) ? ask : load("allowed", by);
}
