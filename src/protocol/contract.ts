// What pages and hub say to each other. No logic: types only, so that the page imports nothing from the worker.
import type { MessageKey, StoredMessage } from "./stored-message";
import type { ServerAddress } from "./address";
import type { Credentials } from "./credentials";
import type { Filter } from "./filter-language";
import type { MessageEvent, Priority } from "./message";
import type { Result } from "./result";

/** Version of this contract; tabs and hubs of different versions ignore each other's messages. */
export const CONTRACT_VERSION = 3;

/**
 * The broadcast channel of hubs and tabs; one name for all versions, as hubs of different versions must agree who
 * leads.
 */
export const CHANNEL_NAME = "earshot";

/** How messages are received. `raw` carries no ids, so it is a live tail only and never one of these. */
export type Transport = "json" | "sse" | "ws" | "poll";

/** Why a try failed, as one union for the words of the page (docs/protocol.md §10). */
export type Failure =
  | { kind: "network" }
  | { kind: "silent" }
  | { kind: "ended" }
  | { kind: "http"; status: number; code?: number; text?: string }
  | { kind: "busy"; code: number }
  | { kind: "unauthorized"; code: number }
  /** `isSignedIn`: with credentials that are right, but not for these topics. */
  | { kind: "forbidden"; code: number; topics: string[]; isSignedIn?: true }
  | { kind: "no-topic-server" }
  | { kind: "not-allowed-by-browser" }
  | { kind: "malformed"; text: string };

/** State of the connection to one server. Each state carries just its own data. Times are of the device clock, ms. */
export type ConnectionState =
  | { kind: "idle" }
  /** `why`: what ended the try before. */
  | { kind: "connecting"; attempt: number; sinceMs: number; why?: Failure }
  /**
   * `inTurn`: so many topics find no room in a stream, and are polled in turn instead. `everyMs`: there is no stream,
   * and all is polled so often.
   */
  | { kind: "live"; sinceMs: number; transport: Transport; inTurn?: number; everyMs?: number }
  | { kind: "waiting"; attempt: number; nextTryAtMs: number; why: Failure }
  | { kind: "offline"; sinceMs: number }
  | { kind: "refused"; why: Failure }
  | { kind: "stopped"; why: Failure };

/** What the hub knows of one server beside its state. */
export interface ServerStatus {
  serverId: number;
  state: ConnectionState;
  /** A catch-up is under way ("checking…"). */
  checking: boolean;
  /** Device clock, ms, of the last complete catch-up. */
  lastCompleteAtMs?: number;
  /** Device clock, ms, of the last byte received. */
  lastContactAtMs?: number;
  /** How far the server's clock is ahead of the device's, seconds; absent until it was heard. */
  clockAheadS?: number;
  /** Lines skipped as malformed since the hub started. */
  malformed: number;
  /** Requests made by this hub to the server in the last five minutes. */
  recentRequests: number;
  /** The server keeps no messages: what is published while one is away is lost. */
  cacheless: boolean;
  /** Topics left out because the server refuses them. */
  refusedTopics: string[];
}

/** Why a command was not carried out. */
export type CommandError =
  | { kind: "failed"; why: Failure }
  | { kind: "invalid"; field: "topic" | "server" | "credentials" | "message" | "view"; reason: string }
  | { kind: "duplicate"; subId: number }
  | { kind: "not-found" }
  | { kind: "quota" }
  | { kind: "storage"; text: string };

export interface SubscribeInput {
  address: ServerAddress;
  /** One or more valid topic names. */
  topics: string[];
  credentials?: Credentials;
  /** `all` takes what the server still holds; `now` only what comes from now on. */
  history: "all" | "now";
}

export interface PublishInput {
  address: ServerAddress;
  topic: string;
  credentials?: Credentials;
  /** Use the credentials of this account instead. */
  accountId?: number;
  message: string;
  title?: string;
  priority?: Priority;
  tags?: string[];
  markdown?: boolean;
  click?: string;
  /** Seconds, duration or time, as the protocol writes it (docs/protocol.md §13). */
  delay?: string;
}

/** A subscription's changeable properties; `null` removes one. */
export interface SubscriptionPatch {
  displayName?: string | null;
  colour?: number | null;
  /** An emoji, or the name of a drawn symbol. */
  icon?: string | null;
  group?: string | null;
  order?: number;
  mutedUntilMs?: number | null;
  minPriority?: Priority | null;
  keepDays?: number | null;
}

/** A group of topics in the list. Names are unique. */
export interface TopicGroup {
  name: string;
  /** Only its name and its sum of unread messages are shown. */
  collapsed?: true;
}

/** How the list of topics is set out: the groups in their order, and all topics in theirs, each with its group. */
export interface Arrangement {
  groups: TopicGroup[];
  topics: { subId: number; group: string | null }[];
}

/** A saved view: a name for the link of a feed. */
export interface SavedView {
  /** Absent = it is new. */
  viewId?: number;
  /** Unique among the views. */
  name: string;
  /** Fragment, `#/…`. */
  link: string;
}

/** Marks that triage sets on messages. */
export type Mark = { kind: "read" | "done" | "starred"; on: boolean } | { kind: "snooze"; untilMs: number | null };

/** The lists in which messages stand for the user; the feed is what is neither done, snoozed nor still to come. */
export type FeedList = "feed" | "scheduled" | "starred" | "done" | "snoozed";

/** What a list shows to one who filters it. `subIds` absent = every topic. */
export interface ListQuery {
  list: FeedList;
  subIds?: number[];
  filter: Filter;
}

/** The messages that a change is about: named one by one, or all that a list shows. */
export type Chosen =
  | { keys: MessageKey[] }
  | {
      /** `upTo`: the arrival number that `count` gave; what came later was not seen, so it is not meant. */
      every: ListQuery & { upTo: number };
      /** Those of the list that are not meant. */
      except: MessageKey[];
    };

/** What a change came to. */
export interface Changed {
  /** Messages that are not as they were. */
  count: number;
  /** Takes it back: for `undo` as it is. Only the hub reads it; as text it passes between threads at no cost. */
  undo: string;
}

/** One line of a raw stream, as it came. */
export interface TailLine {
  /** Device clock, ms. */
  atMs: number;
  text: string;
}

/** How a raw stream stands. Times are of the device clock, ms. */
export type TailState =
  | { kind: "connecting" }
  | { kind: "open"; heardAtMs: number }
  | { kind: "waiting"; nextTryAtMs: number; why: Failure }
  | { kind: "stopped"; why: Failure };

/** Every command: what it takes and what it answers. */
export interface Commands {
  /** Adds topics. Checked against the server first; nothing is stored when that fails. */
  subscribe: { input: SubscribeInput; output: Result<{ subIds: number[] }, CommandError> };
  /** Hides the topic; it and its messages go after the undo time. */
  unsubscribe: { input: { subId: number }; output: Result<null, CommandError> };
  restoreSubscription: { input: { subId: number }; output: Result<null, CommandError> };
  patchSubscription: { input: { subId: number; patch: SubscriptionPatch }; output: Result<null, CommandError> };
  /** Sets groups and order of all topics at once. A topic that is not named keeps its group and comes last. */
  arrange: { input: Arrangement; output: Result<null, CommandError> };
  /**
   * Sets the saved views, all at once and in their order: to save, rename, move and remove one, and to take that back.
   */
  setViews: { input: { views: SavedView[] }; output: Result<null, CommandError> };
  /** Sets or replaces the credentials used for subscriptions of a server, and tries again. */
  setCredentials: {
    input: { serverId: number; subIds?: number[]; credentials: Credentials | null };
    output: Result<null, CommandError>;
  };
  patchServer: {
    input: { serverId: number; name?: string | null; transport?: Transport | null };
    output: Result<null, CommandError>;
  };
  mark: { input: Chosen & { mark: Mark }; output: Result<Changed, CommandError> };
  /** Marks everything of these subscriptions read that is not newer than `upTo` (server time, seconds). */
  markAllRead: { input: { subIds: number[]; upTo?: number }; output: Result<Changed, CommandError> };
  /** Deletes messages, leaving tombstones. Within the undo time `undo` brings them back. */
  delete: { input: Chosen; output: Result<Changed, CommandError> };
  /** Takes a change back, and nothing else: what was so before it stays so. */
  undo: { input: { undo: string }; output: Result<null, CommandError> };
  /** How many messages a list shows now, and the newest arrival number of all. */
  count: { input: ListQuery; output: Result<{ count: number; upTo: number }, CommandError> };
  /** Polls once without storing anything ("Only look"). */
  look: {
    input: { address: ServerAddress; topics: string[]; credentials?: Credentials };
    output: Result<{ messages: MessageEvent[] }, CommandError>;
  };
  /**
   * Follows a topic's raw stream, of which nothing is stored, under a name that the page gives it: what came since the
   * last answer, as soon as there is something, else after a while. It ends when it is no longer asked for.
   */
  tail: {
    input: { tailId: string; address: ServerAddress; topic: string; accountId?: number };
    /** `left`: so many lines were left out. */
    output: Result<{ lines: TailLine[]; left: number; state: TailState }, CommandError>;
  };
  endTail: { input: { tailId: string }; output: Result<null, CommandError> };
  publish: { input: PublishInput; output: Result<{ message: MessageEvent }, CommandError> };
  /** Carries out an `http` action of a message after the user agreed. */
  runAction: { input: { key: MessageKey; actionId: string }; output: Result<{ status: number }, CommandError> };
  /** Reads the beginning of a message's attachment as text, after the user asked for it. */
  readAttachment: {
    input: { key: MessageKey };
    output: Result<{ kind: "text"; text: string; bytes: number; isCut: boolean } | { kind: "bytes" }, CommandError>;
  };
  /**
   * Full catch-up (`since=all`) of a server or of one subscription: how many were missing, and the newest of them. `forgot`: the
   * server lost what it should still keep, so that nobody knows what is missing.
   */
  refresh: {
    input: { serverId: number; subId?: number };
    output: Result<{ missing: number; found: MessageKey[]; forgot?: true }, CommandError>;
  };
  /** Ends the wait for the next try at a server. */
  tryNow: { input: { serverId: number }; output: Result<null, CommandError> };
  /** The page came back (visible, thawed, online): poll at once. */
  resume: {
    input: { reason: "visible" | "pageshow" | "resume" | "online" | "clock" };
    output: Result<null, CommandError>;
  };
  setOnline: { input: { online: boolean }; output: Result<null, CommandError> };
  /** Whether this tab can show notifications now: only such a tab is handed alerts. Holds until it says otherwise. */
  setAlerting: { input: { able: boolean }; output: Result<null, CommandError> };
  /** This tab has shown the notification of an `alert` or a `notice`; else it goes to the next tab. */
  confirmAlert: { input: { alertId: number }; output: Result<null, CommandError> };
  setSetting: { input: { key: string; value: unknown }; output: Result<null, CommandError> };
  /** Runs retention now; how many messages went. */
  prune: { input: Record<string, never>; output: Result<{ removed: number }, CommandError> };
  /** State of all servers, as the leading hub knows it. */
  status: { input: Record<string, never>; output: ServerStatus[] };
  /** Reads, for a page whose database can't be opened; the methods of the client's `Reader`. */
  read: { input: { method: string; args: unknown[] }; output: Result<unknown, CommandError> };
  /** `inSight`: somebody looks at this tab, so that what is missed is noticed sooner. Holds for a while. */
  ping: { input: { inSight: boolean }; output: { build: string; mode: "database" | "memory"; leading: boolean } };
}

export type CommandName = keyof Commands;

/** Counters of a subscription after a change. */
export interface SubscriptionCounts {
  subId: number;
  unread: number;
  unreadUrgent: number;
  starred: number;
  scheduled: number;
  snoozed: number;
  inFeed: number;
  total: number;
  newest?: { id: string; time: number; arrival: number; text: string; priority?: Priority };
}

/** What the hub announces to every tab. */
export type HubEvent =
  /** Servers, subscriptions, accounts, views or settings changed: read the catalogue anew. */
  | { kind: "catalogue" }
  | { kind: "status"; status: ServerStatus }
  /** New or changed rows. `rows` holds the newest at most; `more` counts those left out, which must be read. */
  | {
      kind: "rows";
      added: StoredMessage[];
      changed: StoredMessage[];
      removed: MessageKey[];
      more: number;
      counts: SubscriptionCounts[];
      total: number;
    }
  /**
   * Topics are being added: so many of the parts that fit one request each have been checked. `nextTryAtMs`: the server
   * takes no more requests for now; device clock, ms.
   */
  | { kind: "subscribing"; address: ServerAddress; done: number; of: number; nextTryAtMs?: number }
  /** A hub ended without a word, so that what it stored last may never have been told: read anew what is shown. */
  | { kind: "missed" }
  /** The disk is full: these rows are on screen but not stored. */
  | { kind: "unstored"; rows: StoredMessage[] }
  | { kind: "storage"; problem: "full" | "unreadable" | "newer-version" | "none"; text?: string }
  /**
   * One tab that can shows this notification and confirms it: until then (device clock, ms), as the next one is asked
   * after that.
   */
  | { kind: "alert"; alertId: number; rows: StoredMessage[]; untilMs: number }
  /** The same for a server that stopped, or topics that it refuses: told once, as it would otherwise be silence. */
  | { kind: "notice"; alertId: number; serverId: number; why: Failure; topics: string[]; untilMs: number };

/** Over the port, page to worker. */
export type PageMessage = {
  [Name in CommandName]: { version: number; id: number; name: Name; input: Commands[Name]["input"] };
}[CommandName];

/** Over the port, worker to page. */
export type WorkerMessage =
  | { version: number; kind: "answer"; id: number; output: unknown }
  | { version: number; kind: "event"; event: HubEvent };
