// Links: the view in the address bar (docs/design.md §6, "Links").
import {
  type AddressError,
  type ServerAddress,
  addressHost,
  isHttps,
  parseServerAddress,
  parsePriority,
  PRIORITY_NAMES,
  encodeQuery,
  encodeValue,
  type Result,
  fail,
  ok,
  type TopicNameError,
  checkTopicName,
} from "../../protocol";
import { type Filter, type FilterError, type FilterTerm, formatFilter, parseFilter } from "../filter/filter-language";

/** The app's own views, `#/~<name>`; no topic name contains `~`. */
export const OWN_VIEWS = [
  "urgent",
  "high",
  "starred",
  "scheduled",
  "done",
  "snoozed",
  "search",
  "topics",
  "add",
  "settings",
  "view",
  "columns",
  "wall",
  "raw",
  "group",
  "several",
  "open",
  "help",
] as const;

export type OwnView = (typeof OWN_VIEWS)[number];

export type ViewTarget =
  | { kind: "everything" }
  | { kind: "server"; address: ServerAddress }
  | { kind: "topics"; address: ServerAddress; topics: string[] }
  /** `rest` follows the name and a slash. */
  | { kind: "own"; name: OwnView; rest?: string };

export interface AppLink {
  scope: ViewTarget;
  filter: Filter;
  /** One message of the feed, by id and `time` (Unix seconds). An id without a time is the protocol's filter. */
  message?: { id: string; at: number };
}

/** Why a link is refused. The whole link is refused, before anything changes. */
export type LinkError =
  | { kind: "not-a-link" }
  | { kind: "too-long" }
  | { kind: "encoding" }
  | { kind: "credentials" }
  | { kind: "no-topic" }
  | { kind: "no-default-server" }
  | { kind: "address"; text: string; error: Exclude<AddressError["kind"], "credentials"> }
  | { kind: "topic"; topic: string; error: TopicNameError }
  | { kind: "unknown-view"; name: string }
  /** A parameter that is unknown or given twice. */
  | { kind: "parameter"; name: string }
  | { kind: "filter"; text: string; error: FilterError }
  | { kind: "message" };

/** Longest link, in characters: much longer than any view whose request fits into 4,000. */
const MAX_LINK_LENGTH = 16_000;

const SECRET_PARAMETERS = ["auth", "authorization", "user", "username", "password", "token"];

/** Whether a query has a parameter that only credentials use. */
export function holdsCredentials(query: URLSearchParams): boolean {
  return [...query].some(([name]) => SECRET_PARAMETERS.includes(name.toLowerCase()));
}

/** Undoes percent-encoding, which mail programs and browsers may add. */
function decodePart(text: string): Result<string, LinkError> {
  try {
    return ok(decodeURIComponent(text));
  } catch {
    return fail({ kind: "encoding" });
  }
}

/** Reads the server of a link; credentials in it are an error of their own. */
export function parseLinkAddress(text: string): Result<ServerAddress, LinkError> {
  // In a link the scheme has a colon and no slashes; a pasted address has both.
  const parsed = parseServerAddress(text.replace(/^(https?):(?:\/\/)?/i, "$1://"));
  if (parsed.ok) return parsed;
  const { kind } = parsed.error;
  return fail(kind === "credentials" ? { kind } : { kind: "address", text, error: kind });
}

/** Reads the topics of a link, each only once. */
export function parseLinkTopics(text: string): Result<string[], LinkError> {
  const decoded = decodePart(text);
  if (!decoded.ok) return decoded;
  const topics = new Set(decoded.value.split(","));
  for (const topic of topics) {
    const name = checkTopicName(topic);
    if (!name.ok) return fail({ kind: "topic", topic, error: name.error });
  }
  return ok([...topics]);
}

function parseTarget(path: string, defaultAddress: ServerAddress | undefined): Result<ViewTarget, LinkError> {
  if (path === "/" || path === "") return ok({ kind: "everything" });
  const [first = "", ...rest] = path.slice(1).split("/");
  if (/^(~|%7e)/i.test(first)) return parseOwn(first, rest);

  // A final slash, which typing and pasting add, is ignored.
  if (rest.at(-1) === "") rest.pop();
  const last = rest.pop();
  if (last === undefined) {
    // A host alone isn't a view; a name with a dot or colon can't be a topic.
    if (/[.:]/.test(first)) return fail({ kind: "no-topic" });
    const topics = parseLinkTopics(first);
    if (!topics.ok) return topics;
    if (defaultAddress === undefined) return fail({ kind: "no-default-server" });
    return ok({ kind: "topics", address: defaultAddress, topics: topics.value });
  }
  const address = parseLinkAddress([first, ...rest].join("/"));
  if (!address.ok) return address;
  const topics = parseLinkTopics(last);
  return topics.ok ? ok({ kind: "topics", address: address.value, topics: topics.value }) : topics;
}

function parseOwn(first: string, rest: string[]): Result<ViewTarget, LinkError> {
  const name = first.replace(/^(~|%7e)/i, "");
  const text = rest.join("/");
  if (name === "server") {
    const address = parseLinkAddress(text);
    return address.ok ? ok({ kind: "server", address: address.value }) : address;
  }
  const own = OWN_VIEWS.find((view) => view === name);
  if (!own) return fail({ kind: "unknown-view", name });
  const decoded = decodePart(text);
  if (!decoded.ok) return decoded;
  return ok(decoded.value === "" ? { kind: "own", name: own } : { kind: "own", name: own, rest: decoded.value });
}

/** The terms of a link's query: protocol filters under their names (whole values), the rest in `q`. */
function parseTerms(query: URLSearchParams): Result<FilterTerm[], LinkError> {
  const terms: FilterTerm[] = [];
  const priority = query.get("priority");
  if (priority) {
    const values = priority.split(",").map(parsePriority);
    if (values.includes(undefined)) {
      return fail({
        kind: "filter",
        text: priority,
        error: { at: 0, length: priority.length, reason: "bad-priority" },
      });
    }
    terms.push({ not: false, kind: "priority", values: values.filter((value) => value !== undefined) });
  }
  const tags = (query.get("tags") ?? "").split(",").filter((tag) => tag !== "");
  if (tags.length > 0) terms.push({ not: false, kind: "tags", values: tags });
  for (const field of ["title", "message", "id"] as const) {
    const text = query.get(field);
    if (text && !(field === "id" && query.has("at"))) terms.push({ not: false, kind: "equals", field, text });
  }
  const text = query.get("q") ?? "";
  const rest = parseFilter(text);
  return rest.ok ? ok([...terms, ...rest.value.terms]) : fail({ kind: "filter", text, error: rest.error });
}

const PARAMETERS_OF_A_LINK = ["priority", "tags", "title", "message", "id", "at", "q"];

/**
 * Reads a fragment, with or without `#`. Anything unexpected refuses the whole link: half of it would be a different
 * view from the sender's.
 * @param defaultAddress the server of links that name none; absent = there is none
 */
export function parseLink(fragment: string, defaultAddress: ServerAddress | undefined): Result<AppLink, LinkError> {
  if (fragment.length > MAX_LINK_LENGTH) return fail({ kind: "too-long" });
  const [, path = "", search = ""] = /^#?([^?]*)(?:\?(.*))?$/s.exec(fragment) ?? [];
  if (path !== "" && !path.startsWith("/")) return fail({ kind: "not-a-link" });
  const query = new URLSearchParams(search);
  if (holdsCredentials(query)) return fail({ kind: "credentials" });
  for (const [name] of query) {
    if (!PARAMETERS_OF_A_LINK.includes(name) || query.getAll(name).length > 1) return fail({ kind: "parameter", name });
  }
  const scope = parseTarget(path, defaultAddress);
  if (!scope.ok) return scope;
  const terms = parseTerms(query);
  if (!terms.ok) return terms;
  const view: AppLink = { scope: scope.value, filter: { terms: terms.value } };
  const at = query.get("at");
  if (at === null) return ok(view);
  const id = query.get("id");
  if (!id || !/^\d{1,15}$/.test(at)) return fail({ kind: "message" });
  return ok({ ...view, message: { id, at: Number(at) } });
}

function linkHost(address: ServerAddress): string {
  const host = addressHost(address);
  if (!isHttps(address)) return `http:${host}`;
  // A host of exactly that name would be read as a scheme.
  return /^https?:/.test(host) ? `https:${host}` : host;
}

function formatTarget(scope: ViewTarget, defaultAddress: ServerAddress | undefined): string {
  switch (scope.kind) {
    case "everything":
      return "";
    case "server":
      return `~server/${linkHost(scope.address)}`;
    case "topics": {
      const topics = scope.topics.join(",");
      return scope.address === defaultAddress ? topics : `${linkHost(scope.address)}/${topics}`;
    }
    case "own":
      return `~${scope.name}${scope.rest ? `/${scope.rest.split("/").map(encodeValue).join("/")}` : ""}`;
  }
}

/** Whether a term can be written under the protocol's name: there, commas separate tags and nothing can be excluded. */
function isProtocolTerm(term: FilterTerm): boolean {
  if (term.not) return false;
  if (term.kind === "tags") return term.values.every((tag) => !tag.includes(","));
  return term.kind === "priority" || term.kind === "equals";
}

/** Writes a view as `#/…`. The first term of each protocol filter goes under its name. */
export function formatLink(view: AppLink, defaultAddress: ServerAddress | undefined): string {
  const values = new Map<string, string>();
  const rest: FilterTerm[] = [];
  // An id with `at` is the message, so a filter by id must go with the rest.
  if (view.message) values.set("id", view.message.id).set("at", String(view.message.at));
  for (const term of view.filter.terms) {
    const name = term.kind === "equals" ? term.field : term.kind;
    if (!isProtocolTerm(term) || values.has(name)) rest.push(term);
    else if (term.kind === "priority") values.set(name, term.values.map((value) => PRIORITY_NAMES[value]).join(","));
    else if (term.kind === "tags") values.set(name, term.values.join(","));
    else if (term.kind === "equals") values.set(name, term.text);
  }
  if (rest.length > 0) values.set("q", formatFilter({ terms: rest }));
  const query = encodeQuery(PARAMETERS_OF_A_LINK.map((name) => [name, values.get(name)]));
  return `#/${formatTarget(view.scope, defaultAddress)}${query === "" ? "" : `?${query}`}`;
}

/** A link to share: this app's address with the view. The app's own query and fragment are left out. */
export function formatSharedLink(view: AppLink, appUrl: string, defaultAddress: ServerAddress | undefined): string {
  return appUrl.replace(/[?#].*/s, "") + formatLink(view, defaultAddress);
}

/** Rewrites a link when the default server changes, so that it leads to the same place. An unreadable link stays. */
export function moveLink(fragment: string, from: ServerAddress, to: ServerAddress): string {
  const link = parseLink(fragment, from);
  if (!link.ok) return fragment;
  const { scope } = link.value;
  // The topics of several servers are links of their own within the link.
  if (scope.kind === "own" && scope.name === "several" && scope.rest !== undefined) {
    const rest = scope.rest.split("+").map((part) => moveLink(`#/${part}`, from, to).slice("#/".length));
    return formatLink({ ...link.value, scope: { ...scope, rest: rest.join("+") } }, to);
  }
  return formatLink(link.value, to);
}
