// What pages and hub say to each other. It has only types and constants, so that the page imports nothing from the
// worker.
import type { BackupCredentials, BackupScope, SealedCredentials } from "./backup/lines";
import type { HostRecord } from "./host-config";
import type { FileUse, KeptFileState } from "./kept-files";
import type { QuietHours } from "./quiet-hours";
import type { MessageKey, StoredMessage } from "./stored-message";
import type {
  ServerAddress,
  Failure,
  PublishInput,
  PushKeyProblem,
  PushTarget,
  Credentials,
  ExtraHeaders,
  MessageEvent,
  Priority,
  Result,
} from "../protocol";
import type { RowFilter } from "./filter-language";

/**
 * Version of this contract. Tabs and hubs of different versions ignore each other's messages, except those that decide
 * who leads.
 */
export const CONTRACT_VERSION = 15;

/**
 * The broadcast channel of hubs and tabs. All versions use one name, as hubs of different versions must agree who
 * leads.
 */
export const CHANNEL_NAME = "earshot";

/** How messages are received. `raw` isn't among them: it carries no ids, so it is only a live tail. */
export type Transport = "json" | "sse" | "ws" | "poll";

/** State of the connection to one server. Each state carries only its own data. Times are device clock, ms. */
export type ConnectionState =
  | { kind: "idle" }
  /** `why`: what ended the previous try. */
  | { kind: "connecting"; attempt: number; sinceMs: number; why?: Failure }
  /**
   * `inTurn`: this many topics have no room in a stream, and are polled in turn instead. `everyMs`: there is no stream,
   * and everything is polled this often.
   */
  | { kind: "live"; sinceMs: number; transport: Transport; inTurn?: number; everyMs?: number }
  | { kind: "waiting"; attempt: number; nextTryAtMs: number; why: Failure }
  | { kind: "offline"; sinceMs: number }
  | { kind: "refused"; why: Failure }
  | { kind: "stopped"; why: Failure };

/** What the hub knows of one server besides its state. */
export interface ServerStatus {
  serverId: number;
  state: ConnectionState;
  /** A catch-up is under way ("checking…"). */
  checking: boolean;
  /** When the last complete catch-up was, device clock, ms. */
  lastCompleteAtMs?: number;
  /** When the last byte was received, device clock, ms. */
  lastContactAtMs?: number;
  /** How far the server's clock is ahead of the device's, seconds; absent until it was heard. */
  clockAheadS?: number;
  /** How many lines were skipped as malformed since this connection was made. */
  malformed: number;
  /** How many requests all hubs together made to the server in the last five minutes. */
  recentRequests: number;
  /** The server keeps no messages: those published while the app is away are lost. */
  cacheless: boolean;
  /** Topics left out because the server refuses them. */
  refusedTopics: string[];
}

/** Why a command was not carried out. */
export type CommandError =
  | { kind: "failed"; why: Failure }
  | { kind: "invalid"; field: "topic" | "server" | "credentials" | "message" | "view" | "setting"; reason: string }
  | { kind: "duplicate"; subId: number }
  | { kind: "not-found" }
  /** `text` is the browser's own wording, for the details. */
  | { kind: "quota"; text?: string }
  | { kind: "storage"; text: string };

export interface SubscribeInput {
  address: ServerAddress;
  /** One or more valid topic names. */
  topics: string[];
  credentials?: Credentials;
  /** For a proxy in front of the server: sent with every request to it. They replace those that it has. */
  headers?: ExtraHeaders;
  /** `all` takes what the server still has, and `read` does so as read; `now` only what comes from now on. */
  history: "all" | "read" | "now";
}

/** A subscription's properties that can be changed; `null` removes one. */
export interface SubscriptionPatch {
  displayName?: string | null;
  colour?: number | null;
  /** An emoji, or the name of a drawn symbol. */
  icon?: string | null;
  group?: string | null;
  order?: number;
  mutedUntilMs?: number | null;
  minPriority?: Priority | null;
  quietHours?: QuietHours | null;
  keepDays?: number | null;
  keepMessages?: number | null;
  keepFilesMb?: number | null;
  showsRepeats?: true | null;
}

/** A group of topics in the list. Names are unique. */
export interface TopicGroup {
  name: string;
  /** Only the group's name and its number of unread messages are shown. */
  collapsed?: true;
}

/** How the list of topics is arranged: the groups in their order, and all topics in theirs, each with its group. */
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

/** The lists that the user sees messages in; the feed has what is neither done nor snoozed nor scheduled. */
export type FeedList = "feed" | "scheduled" | "starred" | "done" | "snoozed";

/** What a filtered list shows. `subIds` absent = every topic. */
export interface ListQuery {
  list: FeedList;
  subIds?: number[];
  filter: RowFilter;
}

/** The messages to change: named one by one, all that is stored of some topics, or everything that a list shows. */
export type Chosen =
  | { keys: MessageKey[] }
  /** Those that no list shows too: earlier versions, and messages that are not yet due. */
  | { stored: { subIds: number[] } }
  | {
      /** `upTo`: the arrival number that `count` returned. What came later wasn't seen, so it isn't meant. */
      every: ListQuery & { upTo: number };
      /** Messages of the list to leave out. */
      except: MessageKey[];
    };

/** The result of a change. */
export interface Changed {
  /** How many messages changed. */
  count: number;
  /**
   * Undoes the change: pass it to `undo` unchanged. Only the hub reads it; as a string it is cheap to pass between
   * threads.
   */
  undo: string;
}

/** One line of a raw stream, as it came. */
export interface TailLine {
  /** Device clock, ms. */
  atMs: number;
  text: string;
}

/** State of a raw stream. Times are device clock, ms. */
export type TailState =
  | { kind: "connecting" }
  | { kind: "open"; heardAtMs: number }
  | { kind: "waiting"; nextTryAtMs: number; why: Failure }
  | { kind: "stopped"; why: Failure };

/** Why a server sends no pushes here. */
export type PushFault =
  /** It tells no key: it has none (`off`), is too old to tell (`untold`), or says something else. */
  | { kind: "no-key"; problem: PushKeyProblem | "untold" }
  /** It doesn't send to this browser's push service. */
  | { kind: "service-refused" }
  /** It gave up, as it does when too many devices at one address are registered. */
  | { kind: "too-many-devices" }
  /** None of the topics may be read. */
  | { kind: "forbidden" }
  | { kind: "failed"; why: Failure };

/** Texts for the worker that receives pushes, which has no catalogue of strings. It fills in what is in `{…}`. */
export interface PushWords {
  /** Has `{title}` and `{topic}`. */
  title: string;
  /** In place of bodies that are no text, or have nothing visible. */
  binary: string;
  unseen: string;
  /** Has `{count}`, which is 2 or more. */
  many: string;
  /** As `many`, for messages that the topics' rules held back. */
  heldBack: string;
  /** For a push that brings nothing to show, where the browser demands that each shows something. */
  changed: string;
}

/** One registration of the browser for pushes, as its server last heard of it. */
export interface PushPart {
  /** Relative to the app; see `pushScope`. */
  scope: string;
  /** A secret: whoever knows it and its keys can send pushes. */
  endpoint: string;
  /** 0 = none. */
  accountId: number;
  topics: string[];
}

/** The state of a server's pushes. Times are device clock, ms. */
export interface PushState {
  serverId: number;
  /** The server's public key, URL-safe base64. */
  key: string;
  parts: PushPart[];
  /** Topics that the server refuses to push, as they may not be read. */
  refused: string[];
  words: PushWords;
  /** The browser withdraws the permission if pushes show nothing. */
  mustShow?: true;
  sinceMs: number;
  /** When the server last heard of the registration; it forgets one after 60 days. */
  postedAtMs: number;
  /** Why the server refused the last registration; absent = it accepted it. */
  fault?: PushFault;
  pushedAtMs?: number;
  /** When a push last made the worker poll for what else there is. */
  checkedAtMs?: number;
  /** How many pushes in a row showed nothing. */
  heldBack?: number;
}

/** Sends a server this browser's push subscriptions, replacing earlier ones. */
export type RegisterPushInput = Pick<PushState, "serverId" | "key" | "words" | "mustShow"> & {
  parts: { scope: string; accountId: number; topics: string[]; target: PushTarget }[];
};

/** What a backup would change here, which the user sees before anything changes. */
export interface BackupPreview {
  scope: BackupScope;
  /** When it was made, device clock of then, ms. */
  madeAtMs: number;
  /** Addresses of servers that nothing here is subscribed to. */
  newServers: ServerAddress[];
  newTopics: { server: ServerAddress; topic: string; displayName?: string; signIn?: true }[];
  /** How many of its topics are here already. */
  knownTopics: number;
  /** Names of saved views that aren't here. */
  newViews: string[];
  /** Settings that are different here. */
  settings: { name: string; from: unknown; to: unknown }[];
  /** How many of its messages would be added, are here already, or were deleted here and stay deleted. */
  messages: { added: number; known: number; deleted: number };
  /** How many of those to be added retention would soon remove, by the settings here and by the backup's own. */
  outdated: { here: number; there: number };
  /** How many lines can't be read and would be left out. */
  unreadable: number;
  sealed?: SealedCredentials;
}

/** Why a backup isn't read or taken over; nothing of it stays. */
export type BackupFault =
  /** The file is no backup. */
  | { kind: "not-a-backup" }
  | { kind: "newer-backup"; version: number }
  /** The file's end is missing. */
  | { kind: "cut-backup" }
  /** A line on which others depend is wrong; lines count from 1. */
  | { kind: "bad-line"; line: number }
  /** Another import is under way. */
  | { kind: "busy-import" }
  /** The user, or another tab that began an import, ended it. */
  | { kind: "ended-import" }
  /** A topic that the import would add was added meanwhile. */
  | { kind: "changed-meanwhile" }
  | CommandError;

/** What a test of a server showed, besides what its address turned out to be. */
export interface ServerTest {
  /** How the topics of each account can be read; `accountId` 0 = without one. `why`: why not. */
  access: { accountId: number; why?: Failure }[];
  /** Whether a stream opened; absent = no topic could be read. */
  hasStream?: boolean;
  /** How long the server keeps messages, seconds; 0 = not at all; absent = it doesn't say. */
  keepsS?: number;
  /** How far the server's clock is ahead of the device's, seconds; absent = it was not heard. */
  clockAheadS?: number;
}

/** What an account lists on its server. */
export interface ListedTopics {
  accountId: number;
  user?: string;
  /** Topics of the server that aren't subscribed to here. */
  topics: { topic: string; displayName?: string }[];
  /** Topics here that were removed from the account elsewhere since they were in step. */
  leftThere: string[];
}

/** Every command: its input and its output. */
export interface Commands {
  /** Adds topics. They are checked with the server first; nothing is stored if that fails. */
  subscribe: { input: SubscribeInput; output: Result<{ subIds: number[] }, CommandError> };
  /** Hides the topic; it is purged with its messages after the undo time. */
  unsubscribe: { input: { subId: number }; output: Result<null, CommandError> };
  restoreSubscription: { input: { subId: number }; output: Result<null, CommandError> };
  patchSubscription: { input: { subId: number; patch: SubscriptionPatch }; output: Result<null, CommandError> };
  /** Sets the groups and the order of all topics at once. A topic that isn't named keeps its group and comes last. */
  arrange: { input: Arrangement; output: Result<null, CommandError> };
  /** Replaces all saved views at once, in their order: used to save, rename, move and remove one, and to undo that. */
  setViews: { input: { views: SavedView[] }; output: Result<null, CommandError> };
  /**
   * Sets, replaces or (with `null`) removes the credentials of a server's subscriptions, and tries again. A password is
   * exchanged for a token where the server issues them; one that nothing uses any more is removed there. `leftToken`: the
   * server could not be told, so that the token is good until it ends.
   */
  setCredentials: {
    input: { serverId: number; subIds?: number[]; credentials: Credentials | null };
    output: Result<{ leftToken?: true }, CommandError>;
  };
  patchServer: {
    /** `move`: to another address, with its credentials or without. It ends the pushes from the old one. */
    input: {
      serverId: number;
      name?: string | null;
      transport?: Transport | null;
      /** With any, messages come as JSON lines, as browsers send none with a WebSocket. */
      headers?: ExtraHeaders;
      move?: { address: ServerAddress; keepsSignIn: boolean };
    };
    output: Result<null, CommandError>;
  };
  /** Reads the topics of a signed-in user on the server. */
  accountTopics: { input: { serverId: number }; output: Result<ListedTopics, CommandError> };
  /** Keeps an account's topics in step with those of this device, both ways, or no longer. */
  keepInStep: { input: { accountId: number; on: boolean }; output: Result<null, CommandError> };
  /** Tries a server apart from its connection: whether topics can be read, streams open, messages are kept, clocks agree. */
  testServer: { input: { serverId: number }; output: Result<ServerTest, CommandError> };
  mark: { input: Chosen & { mark: Mark }; output: Result<Changed, CommandError> };
  /** Marks messages of these subscriptions as read, up to and including `upTo` (server time, Unix seconds). */
  markAllRead: { input: { subIds: number[]; upTo?: number }; output: Result<Changed, CommandError> };
  /**
   * Hides messages. Within the undo time `undo` brings them back; after it they are removed for good, and leave
   * tombstones.
   */
  delete: { input: Chosen; output: Result<Changed, CommandError> };
  /** Undoes one change, and nothing else: what was so before that change stays so. */
  undo: { input: { undo: string }; output: Result<null, CommandError> };
  /** How many messages a list shows now, and the newest arrival number of all. */
  count: { input: ListQuery; output: Result<{ count: number; upTo: number }, CommandError> };
  /** Polls once and stores nothing. */
  preview: {
    input: { address: ServerAddress; topics: string[]; credentials?: Credentials };
    output: Result<{ messages: MessageEvent[] }, CommandError>;
  };
  /**
   * Follows a topic's raw stream, under a name that the page gives it; nothing is stored. Resolves to what came since
   * the last answer, as soon as there is something, else after a while. The stream ends when nobody asks any more.
   */
  tail: {
    input: { tailId: string; address: ServerAddress; topic: string; accountId?: number };
    /** `left`: how many lines were left out. */
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
  /** What became of a message's file: whether it is kept on this device, or why not; `null` = it was not tried. */
  keptFile: { input: { key: MessageKey }; output: Result<KeptFileState | null, CommandError> };
  /** What kept files take, by topic. */
  fileUse: { input: Record<string, never>; output: Result<FileUse[], CommandError> };
  /** Deletes kept files: those of a topic, or all. Their messages stay. */
  dropFiles: { input: { subId?: number }; output: Result<null, CommandError> };
  /**
   * Does a full catch-up (`since=all`) of a server or of one subscription. Resolves to how many messages were missing,
   * and the newest of them. `forgot`: the server lost messages that it should still have, so nobody knows what is
   * missing.
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
  /** The state of the pushes of all servers that have any. */
  pushStates: { input: Record<string, never>; output: Result<PushState[], CommandError> };
  /** Asks a server for its public key. */
  pushKey: { input: { serverId: number }; output: Result<string, PushFault> };
  /** Registers topics for pushes with their server. Topics that may not be read are left out. */
  registerPush: { input: RegisterPushInput; output: Result<PushState, PushFault | CommandError> };
  /** Tells a server to push no more, and forgets about it, whether or not the server can be reached. */
  endPush: { input: { serverId: number }; output: Result<null, CommandError> };
  /** Whether this tab can show notifications now: only such tabs are given alerts. Holds until changed. */
  setAlerting: { input: { able: boolean }; output: Result<null, CommandError> };
  /** This tab has shown the notification of an `alert` or a `notice`; without this, the next tab is asked. */
  confirmAlert: { input: { alertId: number }; output: Result<null, CommandError> };
  setSetting: { input: { key: string; value: unknown }; output: Result<null, CommandError> };
  /**
   * Reads the host's `config.json` beside the app, and finds the topic server where the app is, unless the file or the
   * page names one. `base`: the app's address, with its final slash. `named`: the server that the page names. `isNew`:
   * nothing is subscribed yet, so it is worth looking for a server again.
   */
  readHost: {
    input: { base: string; named: ServerAddress | null; isNew: boolean };
    /**
     * `hasServer`: absent = nobody looked, or nobody answered. `movedFrom`: links that name no server meant this one until
     * now; told once, to the page that then writes stored links anew.
     */
    output: Result<{ host: HostRecord; hasServer?: boolean; movedFrom?: ServerAddress }, CommandError>;
  };
  /** Runs retention now; resolves to how many messages were removed. */
  prune: { input: Record<string, never>; output: Result<{ removed: number }, CommandError> };
  /** Reads a backup and keeps it aside; nothing that is shown changes. `importId` names it from now on. */
  readBackup: { input: { importId: string; file: Blob }; output: Result<BackupPreview, BackupFault> };
  /** Takes over a backup that was read: all of it, or nothing. Resolves to how many messages were added. */
  takeBackup: {
    input: { importId: string; settings: boolean; credentials: BackupCredentials[] };
    output: Result<{ added: number }, BackupFault>;
  };
  /** Ends an import, also while it is read or taken over: nothing of it stays. */
  dropBackup: { input: { importId: string }; output: Result<null, CommandError> };
  /**
   * Whether an import was cut off and undone, and the user has not been told; the answer is yes only once. `isPending`: an
   * import is being taken over or undone, so ask again.
   */
  undoneImport: {
    input: Record<string, never>;
    output: Result<{ isUndone: boolean; isPending: boolean }, CommandError>;
  };
  /** State of all servers, as the leading hub knows it. */
  status: { input: Record<string, never>; output: ServerStatus[] };
  /** Reads for a page whose database can't be opened; the methods are those of the client's `Reader`. */
  read: { input: { method: string; args: unknown[] }; output: Result<unknown, CommandError> };
  /** `inSight`: somebody looks at this tab, so problems should be noticed sooner. Holds for a while. */
  ping: { input: { inSight: boolean }; output: { build: string; mode: "database" | "memory"; leading: boolean } };
}

export type CommandName = keyof Commands;

/** Counters of a subscription after a change. */
export interface SubscriptionCounts {
  subId: number;
  unread: number;
  unreadUrgent: number;
  unreadHigh: number;
  starred: number;
  scheduled: number;
  snoozed: number;
  inFeed: number;
  total: number;
  newest?: { id: string; time: number; arrival: number; text: string; priority?: Priority };
}

/** Says that receiving from a server stopped, for all of its topics or for some. */
export interface ServerNotice {
  serverId: number;
  why: Failure;
  /** The topics that it is about. */
  topics: string[];
}

/** Says that a server has been out of reach for long, or is back. Device clock, ms. */
export interface Outage {
  serverId: number;
  sinceMs: number;
  backAtMs?: number;
}

/** What the hub announces to every tab. */
export type HubEvent =
  /** Servers, subscriptions, accounts, views or settings changed, so the catalogue must be read again. */
  | { kind: "catalogue" }
  | { kind: "status"; status: ServerStatus }
  /**
   * New or changed rows. `added` and `changed` hold only the newest; `more` counts those left out, which must be read.
   */
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
   * Topics are being added in parts that each fit one request: `done` of them have been checked. `nextTryAtMs`: the
   * server takes no more requests until then; device clock, ms.
   */
  | { kind: "subscribing"; address: ServerAddress; done: number; of: number; nextTryAtMs?: number }
  /** An import is being read or taken over: `done` of `of`, in bytes or parts. */
  | { kind: "importing"; importId: string; done: number; of: number }
  /** The files of these messages are kept now, or no longer. */
  | { kind: "files"; keys: MessageKey[] }
  /** A hub ended abruptly and may not have announced what it stored last, so what is shown must be read again. */
  | { kind: "missed" }
  /** The disk is full: these rows are on screen but not stored. */
  | { kind: "unstored"; rows: StoredMessage[] }
  | { kind: "storage"; problem: "full" | "unreadable" | "newer-version" | "none"; text?: string }
  /**
   * One tab that can should show this notification and confirm it before `untilMs` (device clock, ms); after that the
   * next tab is asked. `repeated`: it was shown before, and its messages are still unread.
   */
  | { kind: "alert"; alertId: number; rows: StoredMessage[]; untilMs: number; repeated?: true }
  /**
   * The same for a server that stopped, or for topics that it refuses. It is told once, as nothing else would show it.
   */
  | ({ kind: "notice"; alertId: number; untilMs: number } & ServerNotice)
  /**
   * Offers, in the same way, to tell the user that a server has been out of reach for long, or is back after that.
   */
  | ({ kind: "outage"; alertId: number; untilMs: number } & Outage);

/** Sent over the port, from page to worker. */
export type PageMessage = {
  [Name in CommandName]: { version: number; id: number; name: Name; input: Commands[Name]["input"] };
}[CommandName];

/** Sent over the port, from worker to page. */
export type WorkerMessage =
  | { version: number; kind: "answer"; id: number; output: unknown }
  | { version: number; kind: "event"; event: HubEvent };
