import type {
  AlertRules,
  BackupGap,
  BackupHeader,
  BackupMessage,
  BackupSequence,
  BackupServer,
  BackupSetting,
  BackupTopic,
  BackupTrace,
  BackupView,
  HostRecord,
  KeepFiles,
  KeptFileState,
  Listing,
  MessageKey,
  PushState,
  QuietHours,
  SealedCredentials,
  Snapshot,
  Sounds,
  StoredMessage,
  TopicGroup,
  Transport,
} from "../contract";
import type { Credentials, ExtraHeaders, Priority, ServerAddress } from "../protocol";
import type { DBSchema } from "idb";

/** Name of the app's database. */
export const DATABASE_NAME = "earshot";

/** Version of the database; each step to it has a migration in `migrations.ts`. */
export const SCHEMA_VERSION = 7;

/**
 * A topic server. Its number is given once and never reused, so the server can be renamed or move to another address.
 */
export interface ServerRecord {
  serverId: number;
  /** Normalised, see `parseServerAddress`. */
  address: ServerAddress;
  /** Its former addresses, the latest last: links with them lead to the present one. */
  formerAddresses?: ServerAddress[];
  name?: string;
  /** Sent with every request to this server only, for a proxy that needs them. May be secret. */
  headers?: ExtraHeaders;
  /** Set by hand; absent = the hub chooses. */
  chosenTransport?: Transport;
  /** The transport that last worked. */
  learntTransport?: Transport;
  /**
   * Credentials go in the query, as the header was refused on the way (docs/decisions/0018); absent = in the header.
   */
  credentialsBy?: "query";
  /** When that was last seen, device clock, ms; absent = the header is tried again at once. */
  credentialsByAtMs?: number;
  /** Interval between keepalives as observed, ms. */
  keepaliveMs?: number;
  /** How long the server keeps messages at least, seconds: the shortest `keptFor` of its topics; 0 = no cache. */
  retentionS?: number;
  /** When the last complete catch-up was, device clock, ms. */
  lastCompleteAtMs?: number;
  /** How far the server's clock was ahead of the device's when last heard, seconds. Never used for a cursor. */
  clockAheadS?: number;
  /** What the server's clock was last heard to show, Unix seconds, within an hour. Retention goes by it. */
  heardS?: number;
  /** When it was last heard that one of the clocks was set forward, device clock, ms. */
  clockSetOnAtMs?: number;
  /**
   * The user was told that it has been out of reach since then, device clock, ms; absent = it is over or wasn't told.
   */
  outageToldSinceMs?: number;
}

/** Credentials on one server. A subscription names its account, or none. */
export interface AccountRecord {
  accountId: number;
  serverId: number;
  credentials: Credentials;
  /** Whose token it is, as far as the server has said. */
  user?: string;
  /** The server issued the token to this app instead of a password: it is extended, and removed on signing out. */
  issued?: 1;
  /** Unix seconds by the server's clock, for tokens that expire. */
  expires?: number;
  /**
   * Its topics are kept in step with this device's: those both last agreed on, or that were removed from the account
   * and stayed here. Absent = they aren't.
   */
  inStep?: string[];
  /** Set when the server refused the credentials; they aren't tried again until the user asks. Device clock, ms. */
  refusedAtMs?: number;
}

/** The newest delivered message of a subscription that is neither deleted nor superseded, for the list of topics. */
export interface NewestSummary {
  id: string;
  time: number;
  /** Decides between two messages of the same second. */
  arrival: number;
  /** Its title or, without one, the beginning of its text. */
  text: string;
  priority?: Priority;
}

/** How long a server keeps a topic's messages, as their `expires − time` shows; see `kept-for.ts` of the hub. */
export interface KeptFor {
  /** The shortest time seen lately, seconds. */
  leastS: number;
  /** The newest day (UTC, `time` div 86,400) of a message that was kept this short. */
  day: number;
  /** The shortest time that messages of later days have shown, seconds; absent = there were none. */
  nextS?: number;
}

/** A topic that the user subscribed to, with its counters (kept up to date by `MessageWriter`). */
export interface SubscriptionRecord {
  subId: number;
  serverId: number;
  /** 0 = none. Never absent, so that groups are keyed (server, account). */
  accountId: number;
  topic: string;
  displayName?: string;
  /** Index into the ten topic hues; absent = the one that a hash of the topic gives. */
  colour?: number;
  /** An emoji, or the name of a drawn symbol. */
  icon?: string;
  /** The name of its group; absent = it is listed with its server. */
  group?: string;
  order: number;
  /** Device clock, ms; Infinity = until unmuted. Affects alerts and the unread total. */
  mutedUntilMs?: number;
  /** Affects only alerts. */
  minPriority?: Priority;
  /** Affects only alerts, in place of those of all topics; read it by `decodeQuietHours`. */
  quietHours?: QuietHours;
  /** For "from now on": server time, Unix seconds. Ingest drops what is older. */
  fromTime?: number;
  /** Messages from before this server time, Unix seconds, count as read when they arrive; absent = none do. */
  readBefore?: number;
  /** Up to this server time, Unix seconds, everything is known to be stored; only complete polls move it. */
  timeCursor?: number;
  /** Absent = its messages haven't shown it yet, so the server's other topics count. */
  keptFor?: KeptFor;
  /**
   * 1 once the topic was caught up alone and joined its group's cursor; 0 = it had joined and then left; absent = it
   * never joined.
   */
  joined?: 0 | 1;
  /** Code of the server's refusal (docs/protocol.md §10); the topic is left out until it is tried again. */
  refusedCode?: number;
  /** Days to keep its messages instead of the overall setting; 0 = for ever. */
  keepDays?: number;
  /** How many of its messages to keep, the newest; absent = the overall limit, for all topics together. */
  keepMessages?: number;
  /** The largest file of its messages to keep on this device, MB, instead of the overall setting; 0 = none. */
  keepFilesMb?: number;
  /** Its repeats are shown one by one, not folded (docs/design.md §6). */
  showsRepeats?: true;
  /** How many messages in the feed are unread; see `tallyOf` in `tally.ts` for what counts where. */
  unread: number;
  /** Unread ones of priority 5. */
  unreadUrgent: number;
  /** Unread ones of priority 4. */
  unreadHigh: number;
  /** Current messages with a star, for the starred view. */
  starred: number;
  /** Messages that are not yet due. */
  scheduled: number;
  /** Current messages that are snoozed out of the feed, for the snoozed view. */
  snoozed: number;
  /** Messages in the feed, read or not. */
  inFeed: number;
  /** How many messages are stored, except those that the user deleted. */
  total: number;
  newest?: NewestSummary;
  /** Set when the user removes the topic; its messages are purged after the undo time. Device clock, ms. */
  removedAtMs?: number;
  /** Purging its messages has begun, so it is too late for undo. */
  purging?: 1;
}

/** The id cursor of one group of topics that are polled together. Only complete polls move it, and only forward. */
export interface CursorRecord {
  serverId: number;
  accountId: number;
  id: string;
  /** Time of the message with this id, Unix seconds: ids work across topics, and messages are ordered by time. */
  time: number;
  /** After this time, Unix seconds, the server no longer knows the id. */
  expires: number;
}

/** Names one event of a sequence, with the time that orders it. */
export interface SequenceMark {
  time: number;
  id: string;
}

/** The newest delete, or clear, of a sequence. */
export interface ControlMark extends SequenceMark {
  /** Ids of the others in the same second, whose order needn't be known. */
  others?: string[];
}

/** State of a sequence after all its events; see `reduce-sequence.ts`. */
export interface SequenceRecord {
  subId: number;
  sequence: string;
  /**
   * The newest delivered version known, stored or not. Absent when only a delete or clear has been seen, or when a
   * delete left no version. `arrival` is the greatest of its second.
   */
  newest?: SequenceMark & { arrival: number };
  /** Newest delete and clear. */
  deleted?: ControlMark;
  cleared?: ControlMark;
  /** After this time, Unix seconds, the record can be removed. */
  until: number;
}

/** Keeps a deleted or pruned message from coming back. */
export interface TombstoneRecord {
  subId: number;
  /** Part of the key as in `messages`, so that one range of times finds a batch's keys in both stores. */
  time: number;
  id: string;
  /** After this time, Unix seconds, the record can be removed; see `handedOutUntil`. */
  until: number;
}

/** How many of a subscription's messages in the feed are of one day (UTC, `time` div 86,400). */
export interface CountRecord {
  subId: number;
  day: number;
  count: number;
}

/** A gap, a span in which messages may be missing. Server time, Unix seconds. */
export interface GapRecord {
  subId: number;
  from: number;
  to: number;
  /** The server no longer had what it should have kept; absent = the device was away for too long. */
  forgot?: 1;
  /** The server had more than it sends at once. */
  cut?: 1;
}

/** A span of server times, Unix seconds; both ends are included. */
export type TimeSpan = [from: number, to: number];

/**
 * What a search needs of some 100 consecutive current messages, without their text; written after the ingest. Each
 * message has a slot, in the order of the feed (time, arrival). A second is never split between two segments.
 */
export interface SegmentRecord {
  /** Times of the first and the last message, Unix seconds; `from` is the key. */
  from: number;
  to: number;
  times: Float64Array;
  arrivals: Float64Array;
  subIds: Uint32Array;
  /** Priority and yes-or-no facts, see `slotFacts` in `segments/slot-facts.ts`. */
  facts: Uint16Array;
  /** Hashes of the ids, see `hashId`. */
  ids: Uint16Array;
  /** The tags that occur, in lower case; `tagSlots` has for each, in turn, how many slots have it, and which. */
  tags: string[];
  tagSlots: Uint16Array;
}

/**
 * The folded text of a segment, and the ids of its messages. It is read only if the segment itself can't rule a search
 * out.
 */
export interface SegmentTextRecord {
  /** `from` of its segment. */
  from: number;
  /** The folded texts of all slots, one after the other, each as `searchText` returns it. */
  text: string;
  /** For each slot, where its title, its body and its whole text end in `text`. */
  ends: Uint32Array;
  /** The ids of all slots, one after the other, and where each ends. */
  ids: string;
  idEnds: Uint32Array;
}

/**
 * Signatures of some consecutive segments, see `segments/signature.ts`; those of the other kind have a record of their
 * own.
 */
export interface SignatureRecord {
  kind: "trigrams" | "sequences";
  /** `from` of its first segment. */
  from: number;
  /** The spans of its segments. */
  froms: Float64Array;
  tos: Float64Array;
  /** The signatures, one after the other, and where each ends. */
  ends: Uint32Array;
  bits: Uint8Array;
}

/** A saved view: a name for a link. */
export interface ViewRecord {
  viewId: number;
  name: string;
  /** Fragment of the view's link, `#/…`. */
  link: string;
  order: number;
}

/** What a swipe can do. */
export type SwipeAction = "none" | "done" | "read" | "star" | "snooze" | "delete";

/** How text and times look. Absent values follow the browser and the language. */
export interface Display {
  /** Percent of the browser's own size. */
  textSize?: number;
  /** The clock of 12 or of 24 hours. */
  hours?: 12 | 24;
  /** `relative`: messages say how long ago they came. */
  times?: "relative";
}

/** Values of the `settings` store, by key. All are optional: absent means the default in `settings.ts`. */
export interface Settings {
  /** Days to keep messages; 0 = for ever. */
  keepDays: number;
  /** Messages to keep in all; 0 = no limit. */
  keepMessages: number;
  theme: "system" | "light" | "dark";
  density: "comfortable" | "compact";
  /** How text and times look; absent = nothing of it was set. */
  display?: Display;
  /** Language code; "system", and any that the app doesn't speak, mean the browser's. */
  language: string;
  /** Files of messages that are kept on this device; read it by `decodeKeepFiles`. Absent = none are. */
  keepFiles?: KeepFiles;
  markRead: "open" | "seen" | "never";
  /** What a server still has of a new topic counts as read. */
  historyRead: boolean;
  /** The user wants notifications, if the browser allows them. */
  alerts: boolean;
  /** Rules for the alerts of all topics; read them by `decodeAlertRules`. */
  alertRules: AlertRules;
  /** The app's own sounds; read them by `decodeSounds`. */
  sounds: Partial<Sounds>;
  /** What a swipe over a message does, by the direction of the finger. */
  swipeLeft: SwipeAction;
  swipeRight: SwipeAction;
  /** Single letters and signs act as commands. */
  singleKeys: boolean;
  /** Topics (as `subId`) whose remote images, icons and attachments load without asking. */
  allowedRemote: number[];
  /** Requests of messages sent without asking; the latest allowed is last. */
  allowedRequests: AllowedRequest[];
  /** Groups of the list of topics, in their order. */
  groups: TopicGroup[];
  /** The columns as last arranged: links of their feeds, each with a width in rem if it was set. */
  columns: { link: string; width?: number }[];
  /** What the host of the app has set; written by the hub alone. */
  host?: HostRecord;
}

/** A request the user agreed to: a topic's messages may ask this address by this method. */
export interface AllowedRequest {
  subId: number;
  method: string;
  /** Origin and path. */
  address: string;
}

/** Counters that are stored with the settings; they are never shown. */
export interface Counters {
  nextArrival: number;
  /** How many messages are stored in all. */
  total: number;
  /** The next number for a server, an account, a subscription or a view: given once, never reused. */
  nextNumber: number;
  /** Spans in which the search index is out of date: separate and in order. Absent = nothing was indexed yet. */
  unindexed?: TimeSpan[];
  /** Seconds with too many messages for the search index, server time; absent = none is known. */
  overfull?: number[];
}

/** A lease that replaces a Web Lock where there are none (docs/design.md §3). */
export interface LeaseRecord {
  name: string;
  holder: string;
  /** Device clock, ms. */
  untilMs: number;
}

/** Alerts that one or several ingest transactions claimed, and that no tab has confirmed yet. */
export interface ClaimRecord {
  /** Arrival number of its first message, which makes it unique. */
  claimId: number;
  keys: MessageKey[];
  /** After this time, Unix seconds of the device, it is too late to alert. */
  until: number;
  /** A hub offers it to its tabs until then, device clock, ms; absent = none does. */
  heldUntilMs?: number;
}

/** A message's file: kept on this device, or why not. The file itself is in the cache `FILE_CACHE`. */
export interface KeptFileRecord {
  subId: number;
  /** Of the message. */
  id: string;
  /** Of the message: with it, the two above are its key. */
  time: number;
  state: KeptFileState;
  /** As the server gave it; the file in the cache has only a type that is safe to show. */
  type?: string;
}

/** The state of a server's pushes, with what the worker that receives them needs. */
export interface PushRecord extends PushState {
  /**
   * The newest message that the worker's own polls brought, by account, to go on from. These aren't the cursors of the
   * catch-up, which pushes never move (docs/design.md §4).
   */
  polled?: Record<number, { id: string; expires: number }>;
}

/** A backup that is being read, or waits for the user's decision (decision 0034). */
export interface ImportRecord {
  importId: string;
  /** It is forgotten after this, device clock, ms. */
  untilMs: number;
  /** Absent = it is still being read. */
  whole?: ReadBackup;
}

/** A backup without the lines that are staged. */
export interface ReadBackup {
  header: BackupHeader;
  servers: BackupServer[];
  topics: BackupTopic[];
  settings: BackupSetting[];
  views: BackupView[];
  sealed?: SealedCredentials;
  /** How many parts are staged. */
  parts: number;
  /** How many messages are staged. */
  messages: number;
}

/** A message of a backup with its index, from 0. */
export interface StagedMessage extends Omit<BackupMessage, "kind"> {
  at: number;
}

/** Lines of a backup that wait to be taken over. */
export interface StagedPart {
  importId: string;
  part: number;
  messages: StagedMessage[];
  traces: BackupTrace[];
  sequences: BackupSequence[];
  gaps: BackupGap[];
}

/** The whole database (docs/design.md §5): for each store its key, its records and its indexes. */
export interface EarshotSchema extends DBSchema {
  servers: { key: number; value: ServerRecord; indexes: { address: string } };
  accounts: { key: number; value: AccountRecord; indexes: { server: number } };
  subscriptions: { key: number; value: SubscriptionRecord; indexes: { serverTopic: [number, string] } };
  cursors: { key: [number, number]; value: CursorRecord };
  messages: {
    key: MessageKey;
    value: StoredMessage;
    /**
     * `order` is that of the feed. `listed` holds only the few rows that are in a short list, one entry for each list.
     */
    indexes: { order: [time: number, arrival: number]; listed: Listing };
  };
  sequences: { key: [number, string]; value: SequenceRecord; indexes: { until: number } };
  tombstones: { key: MessageKey; value: TombstoneRecord; indexes: { until: number } };
  counts: { key: [number, number]; value: CountRecord };
  gaps: { key: [number, number]; value: GapRecord };
  segments: { key: number; value: SegmentRecord };
  segmentTexts: { key: number; value: SegmentTextRecord };
  signatures: { key: [SignatureRecord["kind"], number]; value: SignatureRecord };
  views: { key: number; value: ViewRecord };
  /** Keyed by the setting's name; the key is stored separately from the value. */
  settings: { key: string; value: unknown };
  attachments: { key: [number, string]; value: KeptFileRecord };
  push: { key: number; value: PushRecord };
  leases: { key: string; value: LeaseRecord };
  claims: { key: number; value: ClaimRecord; indexes: { until: number } };
  imports: { key: string; value: ImportRecord };
  staged: { key: [string, number]; value: StagedPart };
  /** Snapshots of the last views; a write that changes what they show removes them all (`database.ts`). */
  snapshots: { key: string; value: Snapshot };
}
