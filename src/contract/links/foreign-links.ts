// Topic links that other apps write, and addresses that people paste (docs/protocol.md §16).
import { encodeQuery, parseServerAddress, type ServerAddress, type Result, fail, ok } from "../../protocol";
import { titleText } from "../body-text";
import { isCurlCommand, readCurlCommand } from "./curl-command";
import type { Filter } from "../filter/filter-language";
import {
  formatLink,
  type LinkError,
  holdsCredentials,
  parseLink,
  parseLinkAddress,
  parseLinkTopics,
  formatSharedLink,
  type AppLink,
} from "./app-links";

/** The topics that a link from elsewhere names. */
export interface LinkedTopics {
  address: ServerAddress;
  topics: string[];
  /** The sender's name for the topic. */
  displayName?: string;
  /** The filter of a link into this app. */
  filter?: Filter;
}

/** Longer than any URL that we request, in characters. */
const MAX_PASTED_LENGTH = 4_000;

/** How much of a shared text is searched for a link, in characters. */
const MAX_SHARED_LENGTH = 16_000;

/** Endpoints of a topic, which may end an address copied from a script (docs/protocol.md §2). */
const ENDPOINTS = ["json", "sse", "raw", "ws", "auth", "publish", "send", "trigger"];

/** The longest name that a sender may give to a topic, as in the topic's settings, in characters. */
const MAX_NAME_LENGTH = 64;

/** The parameter of a link behind `#/~open/` that holds the sender's name for the topic. */
const LABEL = "label";

/** A sender's name for a topic, made fit for display; undefined if nothing is left. */
function displayNameOf(text: string | null): string | undefined {
  return [...titleText(text ?? "")].slice(0, MAX_NAME_LENGTH).join("").trim() || undefined;
}

/** Reads a link into a copy of this app. Its default server is assumed to be its own origin. */
function parseAppLink(base: string, fragment: string): Result<LinkedTopics, LinkError> {
  const own = parseServerAddress(base.replace(/\?.*/s, ""));
  const [path = "", ...rest] = fragment.split("?");
  const query = new URLSearchParams(rest.join("?"));
  const labels = query.getAll(LABEL);
  const others = encodeQuery([...query].filter(([name]) => name !== LABEL));
  // A second label stays in the link, which is then refused.
  const plain = labels.length === 1 ? `${path}?${others}` : fragment;
  const link = parseLink(plain, own.ok ? own.value : undefined);
  if (!link.ok) return link;
  const { scope, filter } = link.value;
  // A link that was shared with a name, pasted here.
  if (scope.kind === "own" && scope.name === "open" && scope.rest !== undefined) return parsePastedTopic(scope.rest);
  if (scope.kind !== "topics") return fail({ kind: "no-topic" });
  const displayName = displayNameOf(labels[0] ?? null);
  // A single name wouldn't tell several topics apart.
  if (displayName !== undefined && scope.topics.length > 1) return fail({ kind: "parameter", name: LABEL });
  return ok({
    ...{ address: scope.address, topics: scope.topics },
    ...(displayName !== undefined && { displayName }),
    ...(filter.terms.length > 0 && { filter }),
  });
}

/** A link to one topic with its sender's name. It names the server, so it means the same everywhere. */
export function namedLink(view: AppLink, label: string): string {
  const link = formatLink(view, undefined);
  return `${link}${link.includes("?") ? "&" : "?"}${encodeQuery([[LABEL, label]])}`;
}

/** The link of this app that opens a link from elsewhere, or one that holds more than a view. */
export function openingLink(text: string, appUrl: string): string {
  const scope = { kind: "own", name: "open", rest: text } as const;
  return formatSharedLink({ scope, filter: { terms: [] } }, appUrl, undefined);
}

/**
 * Reads a text that names a topic on a server: `ntfy://host/topic` (with `secure=false` for http, and `display`),
 * `web+ntfy:` before any of these, `https://host/topic` with or without an endpoint, `wss://host/topic/ws`, `host/topic`, a
 * link into this app or another copy of it, or a command line of curl with one of these.
 */
export function parsePastedTopic(text: string): Result<LinkedTopics, LinkError> {
  const trimmed = text.trim();
  if (trimmed.length > MAX_PASTED_LENGTH) return fail({ kind: "too-long" });
  return isCurlCommand(trimmed) ? parseCurl(trimmed) : parseTopicAddress(trimmed);
}

/**
 * Finds the topic named in shared texts, possibly among other words. The first readable one wins; without one, the
 * error is that of the first address.
 *
 * @param texts the texts of one share, the likeliest link first
 */
export function findSharedTopic(texts: readonly string[]): Result<LinkedTopics, LinkError> {
  let error: LinkError | undefined;
  for (const text of texts) {
    for (const candidate of candidatesIn(text.slice(0, MAX_SHARED_LENGTH))) {
      const read = parsePastedTopic(candidate);
      if (read.ok) return read;
      error ??= read.error;
    }
  }
  return fail(error ?? { kind: "no-topic" });
}

/** Possible links in a text: curl commands first, then words that look like an address. */
function candidatesIn(text: string): string[] {
  const commands = text
    .replaceAll("\r\n", "\n")
    .split(/(?<!\\)\n/)
    .filter(isCurlCommand);
  const words = text
    .split(/\s+/)
    .map((word) =>
      word.replace(/^[<("'\u201c\u201e[]+|(?<![>)"'\u201c\u201d\].,;:!?])[>)"'\u201c\u201d\].,;:!?]+$/gu, ""),
    );
  return [
    ...commands,
    ...words.filter((word) => /^(?:[a-z+]+:\/\/|web\+ntfy:|[\w.-]+(?:\.[a-z]|:\d)[\w.-]*\/)/i.test(word)),
  ];
}

/** Reads the first address of a curl command that names a topic. */
function parseCurl(line: string): Result<LinkedTopics, LinkError> {
  const { addresses, signsIn } = readCurlCommand(line);
  if (signsIn) return fail({ kind: "credentials" });
  let error: LinkError | undefined;
  for (const address of addresses) {
    // Without a scheme curl uses http; a server with a port answered that way, and one without leads to https.
    const read = parseTopicAddress(/^[^/:?#]+:\d/.test(address) ? `http://${address}` : address);
    if (read.ok) return read;
    error ??= read.error;
  }
  return fail(error ?? { kind: "no-topic" });
}

function parseTopicAddress(text: string): Result<LinkedTopics, LinkError> {
  const link = text.replace(/^web\+ntfy:(?:\/\/)?/i, "ntfy://").replace(/^ntfy:\/\/(?=(?:https?|wss?|ntfy):)/i, "");
  const [, base = "", fragment] = /^([^#]*)(#\/.*)?/s.exec(link) ?? [];
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

  const ownScheme = query.get("secure") === "false" ? "http" : "https";
  const address = parseLinkAddress(`${isApp ? ownScheme : scheme.replace(/^ws/i, "http")}://${parts.join("/")}`);
  if (!address.ok) return address;
  const topics = parseLinkTopics(last);
  if (!topics.ok) return topics;
  const displayName = isApp ? displayNameOf(query.get("display")) : undefined;
  return ok({ address: address.value, topics: topics.value, ...(displayName !== undefined && { displayName }) });
}
