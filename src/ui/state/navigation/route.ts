import {
  formatLink,
  MAX_COLUMNS,
  parseLink,
  type Filter,
  type LinkError,
  type OwnView,
  type SavedView,
  type ViewTarget,
} from "../../../contract";
import type { ServerAddress } from "../../../protocol";
import { isFeed, type BadLink, type ColumnFeed, type TopicsOfServer, type View } from "./view";

/** The parsed fragment of the address bar. */
export interface Route {
  view: View;
  filter: Filter;
  message?: { id: string; at: number } | undefined;
  /** Name of the saved view, if the link names one in place of view and filter. */
  saved?: string | undefined;
  /** What the link opens besides the view: the dialog that adds a topic, or the search. */
  asks?: "add" | "search" | undefined;
}

export const NO_FILTER: Filter = { terms: [] };

/** Reads the address; an unreadable one leads to a view that says so. @param views saved ones, which it may name */
export function routeOf(fragment: string, home: ServerAddress, views: readonly SavedView[] = []): Route {
  const link = parseLink(fragment, home);
  if (!link.ok) return badLink(REASONS[link.error.kind]);
  const { scope, filter, message } = link.value;
  if (scope.kind === "everything") return { view: scope, filter, message };
  if (scope.kind === "server") return { view: { kind: "server", server: scope.address }, filter, message };
  if (scope.kind === "topics") {
    return { view: { kind: "topics", server: scope.address, topics: scope.topics }, filter, message };
  }
  const { name, rest = "" } = scope;
  switch (name) {
    case "topics":
      return page({ kind: "topic-list" });
    case "add":
    case "search":
      return { view: { kind: "everything" }, filter, asks: name };
    case "columns":
    case "wall":
      return partsRoute(name, rest, home, views);
    case "raw":
      return rawRoute(rest, home);
    case "several":
      return severalRoute(rest, home, { filter, message });
    case "open":
      return page({ kind: "open-link", text: rest });
    case "settings":
    case "help":
      return page({ kind: name, page: rest });
    case "group":
      return rest ? { view: { kind: "group", name: rest }, filter, message } : badLink("unknown");
    case "view": {
      const saved = views.find((view) => view.name === rest);
      if (!saved) return badLink("view");
      // The link of a saved view can't name another saved view, so this recurses only once.
      const route = routeOf(saved.link, home);
      return route.view.kind === "bad-link" ? route : { ...route, message, saved: saved.name };
    }
    default:
      return { view: { kind: name }, filter, message };
  }
}

/** Reads a link to several feeds, separated by semicolons. If one of them can't be read, the whole link is refused. */
function partsRoute(kind: "columns" | "wall", rest: string, home: ServerAddress, views: readonly SavedView[]): Route {
  const parts: ColumnFeed[] = [];
  const links = rest.split(";").filter(Boolean);
  if (links.length > MAX_COLUMNS) return badLink("columns");
  for (const link of links) {
    const { view, filter, saved } = routeOf(`#/${link}`, home, views);
    if (view.kind === "bad-link") return badLink(view.reason);
    if (!isFeed(view)) return badLink("unknown");
    parts.push({ view, filter, saved });
  }
  return page({ kind, parts });
}

/** Reads topics of several servers: `<host>/<topics>`, separated by `+`, which neither part can contain. */
function severalRoute(rest: string, home: ServerAddress, others: Pick<Route, "filter" | "message">): Route {
  const parts: TopicsOfServer[] = [];
  for (const link of rest.split("+")) {
    const { view } = routeOf(`#/${link}`, home);
    if (view.kind === "bad-link") return badLink(view.reason);
    if (view.kind !== "topics") return badLink("topic");
    parts.push({ server: view.server, topics: view.topics });
  }
  return { view: { kind: "several", parts }, ...others };
}

function rawRoute(rest: string, home: ServerAddress): Route {
  const { view } = routeOf(`#/${rest}`, home);
  if (view.kind === "bad-link") return badLink(view.reason);
  const [topic, another] = view.kind === "topics" ? view.topics : [];
  if (view.kind !== "topics" || topic === undefined || another !== undefined) return badLink("topic");
  return page({ kind: "raw", server: view.server, topic });
}

/** One feed of a link to several. */
export function partLink({ view, filter, saved }: ColumnFeed, home: ServerAddress): string {
  return fragmentOf({ view, filter, saved }, home).slice("#/".length);
}

/** Writes a route as a fragment, `#/…`. */
export function fragmentOf({ view, filter, message, saved }: Route, home: ServerAddress): string {
  const scope = saved === undefined ? targetOf(view, home) : own("view", saved);
  return formatLink({ scope, filter: saved === undefined ? filter : NO_FILTER, ...(message && { message }) }, home);
}

const page = (view: View): Route => ({ view, filter: NO_FILTER });

const badLink = (reason: BadLink): Route => page({ kind: "bad-link", reason });

const own = (name: OwnView, rest = ""): ViewTarget => ({ kind: "own", name, rest });

function targetOf(view: View, home: ServerAddress): ViewTarget {
  const linkOf = (topics: TopicsOfServer) => partLink({ view: { kind: "topics", ...topics }, filter: NO_FILTER }, home);
  switch (view.kind) {
    case "columns":
    case "wall":
      // The link of "everything" is empty and would vanish between two semicolons, so it is written as "?".
      return own(view.kind, view.parts.map((part) => partLink(part, home) || "?").join(";"));
    case "everything":
    case "bad-link":
      return { kind: "everything" };
    case "server":
      return { kind: "server", address: view.server };
    case "topics":
      return { kind: "topics", address: view.server, topics: view.topics };
    case "several":
      return own("several", view.parts.map(linkOf).join("+"));
    case "group":
      return own("group", view.name);
    case "raw":
      return own("raw", linkOf({ server: view.server, topics: [view.topic] }));
    case "open-link":
      return own("open", view.text);
    case "settings":
    case "help":
      return own(view.kind, view.page);
    case "topic-list":
      return own("topics");
    default:
      return own(view.kind);
  }
}

/** The reason to show for each link error: one the user can act on. */
const REASONS: Record<LinkError["kind"], BadLink> = {
  address: "address",
  "no-default-server": "address",
  topic: "topic",
  "no-topic": "topic",
  filter: "filter",
  message: "filter",
  parameter: "filter",
  credentials: "credentials",
  "too-long": "too-long",
  "not-a-link": "unknown",
  encoding: "unknown",
  "unknown-view": "unknown",
};
