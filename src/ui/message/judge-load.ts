import type { ExtraHeaders, ServerAddress } from "../../protocol";
import { isFileOf, mayAct, webLink } from "../../contract";
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
  /** What a proxy in front of the server asks for; goes with its own files alone. */
  headers?: ExtraHeaders | undefined;
}

/**
 * Decides what may be done with an address that a message brings: for its icon, its attachment, an image in its text,
 * in whatever view (docs/design.md §2, promise 7).
 */
export function judgeLoad(text: string, place: LoadPlace, past: LoadPast): LoadVerdict {
  const href = webLink(text);
  if (href === undefined) return { kind: "none" };
  const url = new URL(href);
  const load = (why: "pressed" | "file" | "allowed", by: "fetch" | "element"): LoadVerdict => ({
    kind: "load",
    source: {
      href: href as LoadAddress,
      by,
      ...(by === "fetch" && isFile && place.headers && { headers: place.headers }),
    },
    why,
  });
  const isFile = isFileOf(text, place.address);
  // The browser would send the app's own cookies along; only for a file that is wanted they do no harm.
  // Elements send no extra headers.
  const isFetched = isFile ? place.headers !== undefined : url.origin === place.appOrigin;
  const by = isFetched ? "fetch" : "element";
  if (past === "pressed") return load("pressed", by);
  const ask: LoadVerdict = { kind: "ask", href, failed: past === "failed" };
  if (past === "failed" || place.unasked === "nothing") return ask;
  if (isFile) return load("file", "fetch");
  if (place.unasked === "files" || url.username !== "" || url.password !== "") return ask;
  if (place.servers.some((server) => isFileOf(text, server))) return load("allowed", "fetch");
  return mayAct(url, [place.address, ...place.servers, place.appOrigin]) ? ask : load("allowed", by);
}
