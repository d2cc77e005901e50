import { formatLink, parseLink, type Filter, type LinkError, type SavedView, type ViewTarget } from "../../../contract";
import type { ServerAddress } from "../../../protocol";
import { isFeed, type BadLink, type ColumnFeed, type TopicsOfServer, type View } from "./view";

/** The parsed fragment of the address bar. */
export interface Route {
  view: View;
  filter: Filter;
  /** One message of the view. */
  message?: { id: string; at: number } | undefined;
  /** Name of the saved view that the link names instead of view and filter. */
  saved?: string | undefined;
  /** What the link opens besides the view: the dialog that adds a topic, or the search. */
  asks?: "add" | "search" | undefined;
}

export const NO_FILTER: Filter = { terms: [] };

/**
 * Reads the fragment of the address. An unreadable link leads to a view that says so.
 * @param views saved views, which a link may name
 */
export function routeOf(fragment: string, home: ServerAddress, views: readonly SavedView[] = []): Route {
  const link = parseLink(fragment, home);
  if (!link.ok) return badLink(reasonOf(link.error));
  const { scope, filter, message } = link.value;
  if (scope.kind !== "own") return { view: viewOf(scope), filter, message };
  switch (scope.name) {
    case "urgent":
    case "starred":
    case "scheduled":
    case "done":
    case "snoozed":
    case "settings":
      return { view: { kind: scope.name }, filter, message };
    case "topics":
      return { view: { kind: "topic-list" }, filter: NO_FILTER };
    case "add":
    case "search":
      return { view: { kind: "everything" }, filter, asks: scope.name };
    case "columns":
    case "wall":
      return partsRoute(scope.name, scope.rest ?? "", home, views);
    case "raw":
      return rawRoute(scope.rest ?? "", home);
    case "several":
      return severalRoute(scope.rest ?? "", home, { filter, message });
    case "open":
      return { view: { kind: "open-link", text: scope.rest ?? "" }, filter: NO_FILTER };
    case "help":
      return { view: { kind: "help", page: scope.rest ?? "" }, filter: NO_FILTER };
    case "group":
      return scope.rest ? { view: { kind: "group", name: scope.rest }, filter, message } : badLink("unknown");
    case "view": {
      const saved = views.find(({ name }) => name === scope.rest);
      if (!saved) return badLink("view");
      // The link of a saved view can't name another saved view, so this recurses only once.
      const route = routeOf(saved.link, home);
      return route.view.kind === "bad-link" ? route : { ...route, message, saved: saved.name };
    }
  }
}

/** Reads a link to several feeds, separated by semicolons. If one of them can't be read, the whole link is refused. */
function partsRoute(kind: "columns" | "wall", rest: string, home: ServerAddress, views: readonly SavedView[]): Route {
  const parts: ColumnFeed[] = [];
  for (const link of rest.split(";").filter(Boolean)) {
    const { view, filter, saved } = routeOf(`#/${link}`, home, views);
    if (view.kind === "bad-link") return badLink(view.reason);
    if (!isFeed(view)) return badLink("unknown");
    parts.push({ view, filter, ...(saved !== undefined && { saved }) });
  }
  return { view: kind === "wall" ? { kind, parts } : { kind, parts }, filter: NO_FILTER };
}

/** Reads topics of several servers, `<host>/<topics>` each, separated by `+`, which neither name contains. */
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

/** Reads the link of the topic whose raw stream is shown. */
function rawRoute(rest: string, home: ServerAddress): Route {
  const { view } = routeOf(`#/${rest}`, home);
  if (view.kind === "bad-link") return badLink(view.reason);
  const [topic, another] = view.kind === "topics" ? view.topics : [];
  if (view.kind !== "topics" || topic === undefined || another !== undefined) return badLink("topic");
  return { view: { kind: "raw", server: view.server, topic }, filter: NO_FILTER };
}

/** One feed as part of a link to several. */
export function partLink({ view, filter, saved }: ColumnFeed, home: ServerAddress): string {
  return fragmentOf({ view, filter, saved }, home).slice("#/".length);
}

/** Writes a route as a fragment, `#/…`. */
export function fragmentOf({ view, filter, message, saved }: Route, home: ServerAddress): string {
  if (saved !== undefined) {
    const scope: ViewTarget = { kind: "own", name: "view", rest: saved };
    return formatLink({ scope, filter: NO_FILTER, ...(message && { message }) }, home);
  }
  return formatLink({ scope: targetOf(view, home), filter, ...(message && { message }) }, home);
}

function badLink(reason: BadLink): Route {
  return { view: { kind: "bad-link", reason }, filter: NO_FILTER };
}

function viewOf(scope: Exclude<ViewTarget, { kind: "own" }>): View {
  switch (scope.kind) {
    case "everything":
      return { kind: "everything" };
    case "server":
      return { kind: "server", server: scope.address };
    case "topics":
      return { kind: "topics", server: scope.address, topics: scope.topics };
  }
}

function targetOf(view: View, home: ServerAddress): ViewTarget {
  switch (view.kind) {
    case "columns":
    case "wall":
      // The link of "everything" is empty and would vanish between two semicolons, so it is written as "?".
      return { kind: "own", name: view.kind, rest: view.parts.map((part) => partLink(part, home) || "?").join(";") };
    case "everything":
    case "bad-link":
      return { kind: "everything" };
    case "server":
      return { kind: "server", address: view.server };
    case "topics":
      return { kind: "topics", address: view.server, topics: view.topics };
    case "several": {
      const links = view.parts.map((part) => partLink({ view: { kind: "topics", ...part }, filter: NO_FILTER }, home));
      return { kind: "own", name: "several", rest: links.join("+") };
    }
    case "group":
      return { kind: "own", name: "group", rest: view.name };
    case "raw": {
      const topics = { kind: "topics" as const, server: view.server, topics: [view.topic] };
      return { kind: "own", name: "raw", rest: partLink({ view: topics, filter: NO_FILTER }, home) };
    }
    case "open-link":
      return { kind: "own", name: "open", rest: view.text };
    case "help":
      return { kind: "own", name: "help", rest: view.page };
    case "topic-list":
      return { kind: "own", name: "topics" };
    case "urgent":
    case "starred":
    case "scheduled":
    case "done":
    case "snoozed":
    case "settings":
      return { kind: "own", name: view.kind };
  }
}

/** The reason to show for a link error: one that the user can act on. */
function reasonOf(error: LinkError): BadLink {
  switch (error.kind) {
    case "address":
    case "no-default-server":
      return "address";
    case "topic":
    case "no-topic":
      return "topic";
    case "filter":
    case "message":
    case "parameter":
      return "filter";
    case "credentials":
    case "too-long":
      return error.kind;
    case "not-a-link":
    case "encoding":
    case "unknown-view":
      return "unknown";
  }
}
