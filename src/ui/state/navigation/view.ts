import type { PageQuery, SubscriptionRecord, ServerRecord } from "../../../client";
import {
  type Filter,
  type HidingRule,
  isPlace,
  leavesOutHidden,
  type RowFilter,
  type RowTerm,
} from "../../../contract";
import type { ServerAddress } from "../../../protocol";
import { withoutPlaces } from "./places";

export type FeedView =
  | { kind: "everything" }
  | { kind: "urgent" }
  | { kind: "high" }
  | { kind: "starred" }
  | { kind: "scheduled" }
  | { kind: "done" }
  | { kind: "snoozed" }
  | { kind: "server"; server: ServerAddress }
  | { kind: "topics"; server: ServerAddress; topics: string[] }
  | { kind: "several"; parts: TopicsOfServer[] }
  /** The topics of a group of the list. */
  | { kind: "group"; name: string };

export interface TopicsOfServer {
  server: ServerAddress;
  topics: string[];
}

/** A feed with its filter, as one of several on the page. */
export interface ColumnFeed {
  view: FeedView;
  filter: Filter;
  /** Name of the saved view with this view and filter. */
  saved?: string | undefined;
}

/** What the page shows: a feed, several, one of the app's own pages, or why a link can't be opened. */
export type View =
  | FeedView
  | { kind: "columns"; parts: ColumnFeed[] }
  | { kind: "wall"; parts: ColumnFeed[] }
  /** The live tail of one topic as plain text. */
  | { kind: "raw"; server: ServerAddress; topic: string }
  | { kind: "topic-list" }
  /** A page of the settings by name; empty = the list of them. */
  | { kind: "settings"; page: string }
  /** A page of src/locales/help by name; an empty or unknown one means the first. */
  | { kind: "help"; page: string }
  /** A link from elsewhere that is being read; empty = what another app shared is in the page's query. */
  | { kind: "open-link"; text: string }
  | { kind: "bad-link"; reason: BadLink };

export type BadLink = "address" | "topic" | "filter" | "credentials" | "view" | "columns" | "too-long" | "unknown";

/** The part of a page query that the view decides; the feed adds position, direction and count. */
export type FeedQuery = Pick<PageQuery, "list" | "hidden"> & { subIds?: number[]; filter: RowFilter };

const PAGES = ["columns", "wall", "raw", "topic-list", "settings", "help", "open-link", "bad-link"];

/** Whether a view shows messages. */
export function isFeed(view: View): view is FeedView {
  return !PAGES.includes(view.kind);
}

/** Whether a view is of a single topic: only there may seeing a message mark it read. */
export function isOfOneTopic(view: FeedView): boolean {
  return view.kind === "topics" && view.topics.length === 1;
}

/** The filters of the important views, which can't be removed: one priority each, as in the counters. */
const IMPORTANT: Readonly<Record<"urgent" | "high", RowTerm>> = {
  urgent: { kind: "priority", values: [5], not: false },
  high: { kind: "priority", values: [4], not: false },
};

/** Whether it is one of the two tabs of Important. */
export function isImportant(view: View): view is { kind: "urgent" | "high" } {
  return view.kind === "urgent" || view.kind === "high";
}

/** The subscriptions that a view covers, without removed ones and topics of a link that aren't subscribed. */
export function covered(
  view: FeedView,
  servers: ServerRecord[],
  subscriptions: SubscriptionRecord[],
): SubscriptionRecord[] {
  const kept = subscriptions.filter((subscription) => subscription.removedAtMs === undefined);
  if (view.kind === "group") return kept.filter(({ group }) => group === view.name);
  if (view.kind === "several") return view.parts.flatMap((part) => covered({ kind: "topics", ...part }, servers, kept));
  if (view.kind !== "server" && view.kind !== "topics") return kept;
  const server = servers.find((candidate) => candidate.address === view.server);
  return kept.filter(
    (subscription) =>
      subscription.serverId === server?.serverId &&
      (view.kind === "server" || view.topics.includes(subscription.topic)),
  );
}

/** @param subIds of the topics that the view covers and the filter's places leave @param hidden what Everything leaves out */
export function feedQueryOf(view: FeedView, written: Filter, subIds: number[], hidden: HidingRule[] = []): FeedQuery {
  const filter = withoutPlaces(written);
  // If a view and its filter cover all topics, the query names none.
  const placed = written.terms.some(isPlace) ? { subIds } : {};
  switch (view.kind) {
    case "everything":
      return { list: "feed", ...placed, filter, ...(hidden.length > 0 && leavesOutHidden(written) && { hidden }) };
    case "urgent":
    case "high":
      return { list: "feed", ...placed, filter: { terms: [IMPORTANT[view.kind], ...filter.terms] } };
    case "starred":
    case "scheduled":
    case "done":
    case "snoozed":
      return { list: view.kind, ...placed, filter };
    case "server":
    case "topics":
    case "several":
    case "group":
      return { list: "feed", subIds, filter };
  }
}
