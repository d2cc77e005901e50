import type { DBSchema } from "idb";
import type {
  Credentials,
  Listing,
  MessageKey,
  Priority,
  ServerAddress,
  StoredMessage,
  TopicGroup,
  Transport,
} from "../protocol";

/** Version of the database; every step to it has a migration in `migrations.ts`. */
export const SCHEMA_VERSION = 2;

/** A topic server. Its number is given once and never reused, so that it can be renamed or move. */
export interface ServerRecord {
  serverId: number;
  /** Normalised, see `parseServerAddress`. */
  address: ServerAddress;
  name?: string;
  /** Set by hand; absent means that the hub chooses. */
  chosenTransport?: Transport;
  /** The one that worked last. */
  learntTransport?: Transport;
  /**
   * Credentials stand in the query, as the header was refused on the way (docs/decisions/0018); absent = in the header.
   */
  credentialsBy?: "query";
  /** Device clock, ms, when that was last seen; absent = it is to be tried anew at once. */
  credentialsByAtMs?: number;
  /** Interval between keepalives as observed, ms. */
  keepaliveMs?: number;
  /** How long the server keeps messages at least, seconds: the shortest `keptFor` of its topics; 0 = no cache. */
  retentionS?: number;
  /** Device clock of the last complete catch-up, ms. */
  lastCompleteAtMs?: number;
  /** How far the server's clock was ahead of the device's when it was last heard, seconds. Never for a cursor. */
  clockAheadS?: number;
  /** Device clock, ms, when it was last heard that one of the clocks was set on. */
  clockSetOnAtMs?: number;
}

/** Credentials on one server. A subscription names its account or none. */
export interface AccountRecord {
  accountId: number;
  serverId: number;
  credentials: Credentials;
  /** Unix seconds, for tokens that expire. */
  expires?: number;
  /** Set when the server refused them: they are not tried again unasked. Device clock, ms. */
  refusedAtMs?: number;
}

/** The newest delivered message of a subscription that is neither deleted nor superseded, for the list of topics. */
export interface NewestSummary {
  id: string;
  time: number;
  /** Decides between two of the same second. */
  arrival: number;
  /** Its title, else the beginning of its text. */
  text: string;
  priority?: Priority;
}

/** How long a server keeps the messages of a topic, as their `expires − time` told; see `kept-for.ts` of the hub. */
export interface KeptFor {
  /** The least of what was seen lately, seconds. */
  leastS: number;
  /** Newest day (UTC, `time` div 86,400) of a message that showed it. */
  day: number;
  /** The least that messages of later days have shown, seconds; absent = there were none. */
  nextS?: number;
}

/** A topic that the user subscribed to, with its counters (maintained by the ingest transaction). */
export interface SubscriptionRecord {
  subId: number;
  serverId: number;
  /** 0 = none. Never absent, so that groups are keyed (server, account). */
  accountId: number;
  topic: string;
  displayName?: string;
  /** Index into the ten topic hues; absent = chosen by a hash of the topic. */
  colour?: number;
  /** An emoji, or the name of a drawn symbol. */
  icon?: string;
  /** Name of its group; absent = it stands with its server. */
  group?: string;
  order: number;
  /** Device clock, ms; Infinity = until unmuted. Touches alerts only. */
  mutedUntilMs?: number;
  /** Touches alerts only. */
  minPriority?: Priority;
  /** "From now on": server time, seconds; ingest drops what is older. */
  fromTime?: number;
  /** Server time, seconds, up to which everything is known to be stored; only complete polls move it. */
  timeCursor?: number;
  /** Absent = none of its messages has told yet: what the server's others told counts. */
  keptFor?: KeptFor;
  /** 1 once the topic was caught up alone and joined its group's cursor; 0 = it had, and left it; absent = never. */
  joined?: 0 | 1;
  /** Code of the server's refusal (docs/protocol.md §10); the topic is left out until asked for again. */
  refusedCode?: number;
  /** Days to keep its messages instead of the overall setting; 0 = for ever. */
  keepDays?: number;
  /** Messages in the feed that are not read; see `tallyOf` in `tally.ts` for what counts where. */
  unread: number;
  /** Unread ones of priority 4 and 5, for the urgent view. */
  unreadUrgent: number;
  /** Current messages with a star, for the starred view. */
  starred: number;
  /** Messages that are not yet due. */
  scheduled: number;
  /** Current messages that are out of the feed until a moment, for the snoozed view. */
  snoozed: number;
  /** Messages in the feed, read or not. */
  inFeed: number;
  /** Messages stored: all but those deleted within the undo time. */
  total: number;
  newest?: NewestSummary;
  /** Marked by "remove"; its messages go after the undo time. Device clock, ms. */
  removedAtMs?: number;
  /** Its messages have begun to go: too late for undo. */
  purging?: 1;
}

/** One id cursor for each group of topics polled together; moved by complete polls only, forward only. */
export interface CursorRecord {
  serverId: number;
  accountId: number;
  id: string;
  /** Of the message that gave the id, Unix seconds: ids work across topics and order by it. */
  time: number;
  /** Unix seconds after which the server no longer knows the id. */
  expires: number;
}

/** Names one event of a sequence, with what orders it. */
export interface SequenceMark {
  time: number;
  id: string;
}

/** The newest delete, or clear, of a sequence. */
export interface ControlMark extends SequenceMark {
  /** Ids of the others of its second, whose order need not be known. */
  others?: string[];
}

/** State of a sequence after all its events; see `reduce-sequence.ts`. */
export interface SequenceRecord {
  subId: number;
  sequence: string;
  /**
   * Newest delivered version known, stored or not; absent when only a delete or clear was seen yet, or a delete left
   * none. `arrival` is the greatest of its second.
   */
  newest?: SequenceMark & { arrival: number };
  /** Newest delete and clear. */
  deleted?: ControlMark;
  cleared?: ControlMark;
  /** Unix seconds after which the record can go. */
  until: number;
}

/** Keeps a deleted or pruned message from coming back. */
export interface TombstoneRecord {
  subId: number;
  /** Part of the key as in `messages`, so that one range over the times of a batch finds both. */
  time: number;
  id: string;
  /** Unix seconds: the message's `expires` and a day. */
  until: number;
}

/** Messages of one subscription on one day (UTC, `time` div 86,400). */
export interface CountRecord {
  subId: number;
  day: number;
  count: number;
}

/** A span in which messages may be missing. Server time, seconds. */
export interface GapRecord {
  subId: number;
  from: number;
  to: number;
  /** The server no longer had what it should still have kept; absent = the device was away for too long. */
  forgot?: 1;
}

/** A span of server times, seconds; both ends belong to it. */
export type TimeSpan = [from: number, to: number];

/**
 * What search asks of some 100 current messages that follow one another in time, without their text; written behind the
 * ingest. Each message has a slot, in the order of the feed (time, arrival); a second is never split between two packs.
 */
export interface PackRecord {
  /** Time of the first and of the last message, seconds; `from` is the key. */
  from: number;
  to: number;
  times: Float64Array;
  arrivals: Float64Array;
  subIds: Uint32Array;
  /** Priority and yes-or-no facts, see `slotFacts` in `packs/slot-facts.ts`. */
  facts: Uint16Array;
  /** Hashes of the ids, see `hashId`. */
  ids: Uint16Array;
  /** The tags that occur, in lower case, and for each in turn: how many slots have it, and which. */
  tags: string[];
  tagSlots: Uint16Array;
}

/** The folded text of a pack, and what names its messages; read only where the pack itself can't rule a search out. */
export interface PackTextRecord {
  /** Of its pack. */
  from: number;
  /** All slots' texts on end, each as `searchText` gives it, folded. */
  text: string;
  /** For each slot where its title, its body and all of it end in `text`. */
  ends: Uint32Array;
  /** The ids of all slots on end, and where each ends. */
  ids: string;
  idEnds: Uint32Array;
}

/**
 * Signatures of some packs that follow one another, see `packs/signature.ts`; those of the other kind lie beside it.
 */
export interface SignatureRecord {
  kind: "trigrams" | "sequences";
  /** Of its first pack. */
  from: number;
  /** The spans of its packs. */
  froms: Float64Array;
  tos: Float64Array;
  /** The signatures on end, and where each ends. */
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

/** An attachment that is kept on the device. */
export interface AttachmentRecord {
  subId: number;
  id: string;
  blob: Blob;
  keptAtMs: number;
}

/** A push registration with a topic server. */
export interface PushRecord {
  serverId: number;
  endpoint: string;
  topics: string[];
  renewedAtMs: number;
}

/** What a swipe can do. */
export type SwipeAction = "none" | "done" | "read" | "star" | "snooze" | "delete";

/** Values of the `settings` store, by key. All are optional: absent means the default in `settings.ts`. */
export interface Settings {
  /** Days to keep messages; 0 = for ever. */
  keepDays: number;
  /** Messages to keep in all; 0 = no limit. */
  keepMessages: number;
  theme: "system" | "light" | "dark";
  density: "comfortable" | "compact";
  /** Language of the app's words; "system": the browser's. */
  language: "system" | "en" | "de";
  markRead: "open" | "seen" | "never";
  /** Notifications are wanted, where the browser allows them. */
  alerts: boolean;
  /** What a swipe over a message does, by the direction of the finger. */
  swipeLeft: SwipeAction;
  swipeRight: SwipeAction;
  /** Letters and signs alone are commands. */
  singleKeys: boolean;
  /** Topics (as `subId`) whose remote images, icons and attachments load unasked. */
  allowedRemote: number[];
  /** Requests of messages that are sent without asking; the one allowed last comes last. */
  allowedRequests: AllowedRequest[];
  /** Groups of the list of topics, in their order. */
  groups: TopicGroup[];
  /** Columns as they were set out last: the links of their feeds, each with its width in rem where it was set. */
  columns: { link: string; width?: number }[];
}

/** A request that the user agreed to once: what messages of a topic may ask an address by this method. */
export interface AllowedRequest {
  subId: number;
  method: string;
  /** Origin and path. */
  address: string;
}

/** Counters that live beside the settings, never shown. */
export interface Counters {
  nextArrival: number;
  /** Messages stored in all. */
  total: number;
  /** Next number for a server, an account, a subscription or a view: given once, never reused. */
  nextNumber: number;
  /**
   * Where the packs do not say what is stored, as something changed there since: apart and in order. Absent = nothing
   * was packed yet.
   */
  unpacked?: TimeSpan[];
}

/** A lease in place of a Web Lock, where there are none (docs/design.md §3). */
export interface LeaseRecord {
  name: string;
  holder: string;
  /** Device clock, ms. */
  untilMs: number;
}

/** Alerts that one ingest transaction claimed, or several, and that no tab has confirmed yet. */
export interface ClaimRecord {
  /** Arrival number of its first message. */
  claimId: number;
  keys: MessageKey[];
  /** Unix seconds of the device after which it is too late to alert. */
  until: number;
  /** A hub offers it to its tabs until then, device clock, ms; absent = none does. */
  heldUntilMs?: number;
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
    /** `listed` holds just the few rows that stand in a short list, once for each. */
    indexes: { time: number; listed: Listing };
  };
  sequences: { key: [number, string]; value: SequenceRecord; indexes: { until: number } };
  tombstones: { key: MessageKey; value: TombstoneRecord; indexes: { until: number } };
  counts: { key: [number, number]; value: CountRecord };
  gaps: { key: [number, number]; value: GapRecord };
  packs: { key: number; value: PackRecord };
  packTexts: { key: number; value: PackTextRecord };
  signatures: { key: [SignatureRecord["kind"], number]; value: SignatureRecord };
  views: { key: number; value: ViewRecord };
  /** Keyed by the setting's name; the key stands apart from the value. */
  settings: { key: string; value: unknown };
  attachments: { key: [number, string]; value: AttachmentRecord };
  push: { key: number; value: PushRecord };
  leases: { key: string; value: LeaseRecord };
  claims: { key: number; value: ClaimRecord; indexes: { until: number } };
}
