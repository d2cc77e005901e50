// Topic links that other apps write, and addresses that people paste (docs/protocol.md §16).
import { parseServerAddress, type ServerAddress, type Result, fail, ok } from "../protocol";
import { type LinkError, holdsCredentials, parseLink, parseLinkAddress, parseLinkTopics } from "./links";

/** The topics that a link from elsewhere names. */
export interface LinkedTopics {
  address: ServerAddress;
  topics: string[];
  /** The name that the sender gave the topic. */
  displayName?: string;
}

/** Longer than any URL that we request, in characters. */
const MAX_PASTED_LENGTH = 4_000;

/** Endpoints of a topic, which may be part of an address copied from a script (docs/protocol.md §2). */
const ENDPOINTS = ["json", "sse", "raw", "ws", "auth", "publish", "send", "trigger"];

/**
 * Reads a link into a copy of this app. Its default server is taken to be its own origin, as that mostly serves both.
 */
function parseAppLink(base: string, fragment: string): Result<LinkedTopics, LinkError> {
  const own = parseServerAddress(base.replace(/\?.*/s, ""));
  const link = parseLink(fragment, own.ok ? own.value : undefined);
  if (!link.ok) return link;
  const { scope } = link.value;
  return scope.kind === "topics" ? ok({ address: scope.address, topics: scope.topics }) : fail({ kind: "no-topic" });
}

/**
 * Reads a text that names a topic on a server: `ntfy://host/topic` (with `secure=false` for http, and `display`),
 * `web+ntfy:` before any of these, `https://host/topic` with or without an endpoint, `host/topic`, or a link into this
 * app.
 */
export function parsePastedTopic(text: string): Result<LinkedTopics, LinkError> {
  const trimmed = text
    .trim()
    .replace(/^web\+ntfy:(?:\/\/)?/i, "ntfy://")
    .replace(/^ntfy:\/\/(?=(?:https?|ntfy):)/i, "");
  if (trimmed.length > MAX_PASTED_LENGTH) return fail({ kind: "too-long" });
  const [, base = "", fragment] = /^([^#]*)(#\/.*)?/s.exec(trimmed) ?? [];
  if (fragment !== undefined) return parseAppLink(base, fragment);

  const [, scheme = "https", path = "", search = ""] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^?#]*)(?:\?([^#]*))?/is.exec(base) ?? [];
  const query = new URLSearchParams(search);
  if (holdsCredentials(query)) return fail({ kind: "credentials" });
  const isApp = scheme.toLowerCase() === "ntfy";
  const parts = path.replace(/\/$/, "").split("/");
  if (parts.length > 2 && ENDPOINTS.includes(parts.at(-1) ?? "")) parts.pop();
  const last = parts.pop() ?? "";
  if (parts.length === 0) return fail({ kind: "no-topic" });

  const plain = isApp && query.get("secure") === "false" ? "http" : "https";
  const address = parseLinkAddress(`${isApp ? plain : scheme}://${parts.join("/")}`);
  if (!address.ok) return address;
  const topics = parseLinkTopics(last);
  if (!topics.ok) return topics;
  const displayName = (isApp && query.get("display")?.trim()) || undefined;
  return ok({ address: address.value, topics: topics.value, ...(displayName !== undefined && { displayName }) });
}
