import type { ExtraHeaders, ServerAddress } from "../../../protocol";
import { isFileOf, mayAct, webLink } from "../../../contract";
import type { LoadAddress, LoadSource } from "../../state/load-source";
import type { Unasked } from "../origin";

/** What has become of an address in this message so far. */
export type LoadPast = "untried" | "pressed" | "failed";

/** What may be done with an address from a message. */
export type LoadVerdict =
  /** Nothing that can be loaded. */
  | { kind: "none" }
  /** A placeholder until pressed; `failed`: it was tried, and isn't tried again unasked. */
  | { kind: "ask"; href: string; failed: boolean }
  | { kind: "load"; source: LoadSource; why: "pressed" | "file" | "allowed" };

/** Where the message came from, and which requests it must not cause. */
export interface LoadPlace {
  address: ServerAddress;
  unasked: Unasked;
  /** Every subscribed server, because a GET there can publish or count as a failed sign-in. */
  servers: readonly ServerAddress[];
  /** The app's own origin: the browser keeps cookies for it, and it may be a topic server. */
  appOrigin: string;
  /** What a proxy in front of the server asks for; sent only with the server's own files. */
  headers?: ExtraHeaders | undefined;
}

/**
 * Decides what may be done with an address from a message (its icon, its attachment, an image in its text) in any view
 * (docs/design.md §2, promise 7).
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
  // The browser would add the app's own cookies, which do no harm only if the user wants the file. Elements send no
  // extra headers.
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
