// What is stored: every field of every record. Each says what it may hold, which readers check (`intact.ts`), and gives
// the record its type.
import {
  COUNTED,
  NEWEST,
  SETTING_VALUES,
  SHARE_KINDS,
  TOPIC_CHOICES,
  isStamp,
  type Listing,
  type AlertRules,
  type HostRecord,
  type KeepFiles,
  type KeptFileState,
  type MessageKey,
  OUTGOING_MESSAGE,
  type OutgoingMessage,
  PUSH_STATE,
  SNAPSHOT,
  type Register,
  type Snapshot,
  type Sounds,
  STORED_MESSAGE,
  type StoredMessage,
} from "../contract";
import {
  type Credentials,
  guards,
  isId,
  isJsonObject,
  isPriority,
  isTime as time,
  parseServerAddress,
  type ServerAddress,
} from "../protocol";
import type { DBSchema } from "idb";

const { as, count, fields, flag, list, maybe, number, only, stringMap, text, timeOrNever } = guards;

const handedOn = <Value>() => as<Value>(isJsonObject);
interface Views {
  Float64Array: Float64Array;
  Uint32Array: Uint32Array;
  Uint16Array: Uint16Array;
  Uint8Array: Uint8Array;
}
const view = <Name extends keyof Views>(name: Name) =>
  as<Views[Name]>((value) => Object.prototype.toString.call(value) === `[object ${name}]`);
const one = maybe(only(1));

const transport = only("json", "sse", "ws", "poll");
/** Right ones: each server that is read has its own checked. */
const right = new Set<unknown>();
const address = as<ServerAddress>(
  (value) => right.has(value) || (typeof value === "string" && parseServerAddress(value).ok && !!right.add(value)),
);
const key = as<MessageKey>(
  (value) => Array.isArray(value) && value.length === 3 && number(value[0]) && number(value[1]) && isId(value[2]),
);
const credentials = as<Credentials>(
  (value) =>
    fields({ kind: only("token"), token: text })(value) ||
    fields({ kind: only("basic"), user: text, password: text })(value),
);
const fileState = as<KeptFileState>(
  (value) =>
    fields({ kind: only("kept"), bytes: number, atMs: number })(value) ||
    fields({ kind: only("not-kept"), why: text, atMs: number, tries: number, bytes: maybe(number) })(value),
);
const host = as<HostRecord>(
  fields({
    config: fields({ topics: list(isJsonObject), settings: isJsonObject, locked: list(text) }),
    problems: list(isJsonObject),
    home: address,
    allowed: maybe(list(address)),
    applied: isJsonObject,
    own: maybe(isJsonObject),
  }),
);

/** A span of server times, Unix seconds; both ends are included. */
export type TimeSpan = [from: number, to: number];
const timeSpan = as<TimeSpan>((value) => list(number)(value) && value.length === 2);

/** How long a server keeps a topic's messages, as their `expires − time` shows. */
const KEPT_FOR = {
  /** The shortest time seen lately, seconds. */
  leastS: number,
  /** The newest day (UTC, `time` div 86,400) of a message that was kept this short. */
  day: number,
  /** The shortest time that messages of later days have shown, seconds; absent = there were none. */
  nextS: maybe(number),
};
export type KeptFor = guards.RecordOf<typeof KEPT_FOR>;

/** Names one event of a sequence, with the time that orders it. */
const MARK = {
  time,
  id: text,
};
export type SequenceMark = guards.RecordOf<typeof MARK>;

/** The newest delete, or clear, of a sequence. */
const CONTROL = {
  ...MARK,
  /** Ids of the others in the same second, whose order doesn't matter. */
  others: maybe(list(text)),
};
export type ControlMark = guards.RecordOf<typeof CONTROL>;

export type SwipeAction = (typeof SETTING_VALUES.swipeLeft)[number];

/** How text and times look. Absent values follow the browser and the language. */
const DISPLAY = {
  /** Percent of the browser's own size. */
  textSize: maybe(number),
  /** `relative`: messages say how long ago they came. */
  times: maybe(only("relative")),
};
export type Display = guards.RecordOf<typeof DISPLAY>;

/** A request the user agreed to: a topic's messages may ask this address by this method. */
const ALLOWED_REQUEST = {
  subId: number,
  method: text,
  /** Origin and path. */
  address: text,
};
export type AllowedRequest = guards.RecordOf<typeof ALLOWED_REQUEST>;

/** Values of the `settings` store, by key. All are optional: absent means the default below. */
export const SETTINGS = {
  /** Days to keep messages; 0 = for ever. */
  keepDays: count,
  /** Messages to keep in all; 0 = no limit. */
  keepMessages: count,
  theme: only(...SETTING_VALUES.theme),
  /** `auto`: by the width of the page. */
  density: only("auto", ...SETTING_VALUES.density),
  /** How text and times look; absent = all as by default. */
  display: maybe(fields(DISPLAY)),
  /** Language code; "system", and any that the app lacks, mean the browser's. */
  language: text,
  /** Files of messages that are kept on this device; read it by `decodeKeepFiles`. Absent = none are. */
  keepFiles: maybe(handedOn<KeepFiles>()),
  markRead: only(...SETTING_VALUES.markRead),
  /** Whether messages that a server still has of a new topic count as read. */
  historyRead: flag,
  /** Whether the user wants notifications, if the browser allows them. */
  alerts: flag,
  /** Rules for the alerts of all topics; read them by `decodeAlertRules`. */
  alertRules: handedOn<AlertRules>(),
  /** The app's own sounds; read them by `decodeSounds`. */
  sounds: handedOn<Partial<Sounds>>(),
  /** What a swipe over a message does, by the direction of the finger. */
  swipeLeft: only(...SETTING_VALUES.swipeLeft),
  swipeRight: only(...SETTING_VALUES.swipeRight),
  /** Whether single letters and signs act as commands. */
  singleKeys: flag,
  /** Topics (as `subId`) whose remote images, icons and attachments load without asking. */
  allowedRemote: list(number),
  /** Requests of messages sent without asking; the latest allowed is last. */
  allowedRequests: list(fields(ALLOWED_REQUEST)),
  /** Groups of the list of topics, in their order. */
  groups: list(fields({ name: text, collapsed: maybe(only(true)) })),
  /** The columns as last arranged: links of their feeds, each with a width in rem if it was set. */
  columns: list(fields({ link: text, width: maybe(number) })),
  /** What the app's host has set; written by the hub alone. */
  host: maybe(host),
};
export type Settings = guards.RecordOf<typeof SETTINGS>;

export const DEFAULT_SETTINGS: Readonly<Settings> = {
  keepDays: 30,
  keepMessages: 100_000,
  theme: "system",
  density: "auto",
  language: "system",
  markRead: "open",
  historyRead: false,
  alerts: true,
  alertRules: {},
  sounds: {},
  swipeLeft: "snooze",
  swipeRight: "done",
  singleKeys: true,
  allowedRemote: [],
  allowedRequests: [],
  groups: [],
  columns: [],
};

/** Counters that are stored with the settings but never shown. */
export const COUNTERS = {
  nextArrival: count,
  /** How many messages are stored in all. */
  total: count,
  /** The next number for a server, an account, a subscription or a view: given once, never reused. */
  nextNumber: count,
  /** Spans in which the search index is out of date, separate and in order. Absent = nothing has been indexed yet. */
  unindexed: maybe(list(timeSpan)),
};
export type Counters = guards.RecordOf<typeof COUNTERS>;

/** The state of a server's pushes, with what the worker that receives them needs. */
const PUSH = {
  ...PUSH_STATE,
  /**
   * By account, the newest message that the worker's own polls brought, to continue from. These aren't the cursors of
   * the catch-up, which pushes never move (docs/design.md §4).
   */
  polled: maybe(handedOn<Record<number, { id: string; expires: number }>>()),
};
export interface PushRecord extends guards.RecordOf<typeof PUSH> {}

/** The fields of the records of each store; those of `settings` have a record each. */
export const SHAPES = {
  /** A topic server. Its number is never reused, so it can be renamed or move. */
  servers: {
    serverId: count,
    /** Normalised, see `parseServerAddress`. */
    address,
    /** Its former addresses, the latest last: links with them lead to the present one. */
    formerAddresses: maybe(list(address)),
    name: maybe(text),
    /** Sent with every request to this server only, for a proxy that needs them. May be secret. */
    headers: maybe(stringMap),
    /** Set by hand; absent = the hub chooses. */
    chosenTransport: maybe(transport),
    /** The transport that last worked. */
    learntTransport: maybe(transport),
    /** Credentials go into the query, because the header was refused (docs/decisions/0018); absent = into the header. */
    credentialsBy: maybe(only("query")),
    /** When that was last seen, device clock, ms; absent = the header is tried again at once. */
    credentialsByAtMs: maybe(number),
    /** Interval between keepalives as observed, ms. */
    keepaliveMs: maybe(number),
    /** How long the server keeps messages at least, seconds: the shortest `keptFor` of its topics; 0 = no cache. */
    retentionS: maybe(number),
    /** When the last complete catch-up was, device clock, ms. */
    lastCompleteAtMs: maybe(number),
    /** How far the server's clock was ahead of the device's when last heard, seconds. Never used for a cursor. */
    clockAheadS: maybe(number),
    /** What the server's clock was last heard to show, Unix seconds, within an hour. Retention goes by it. */
    heardS: maybe(number),
    /** When one of the clocks was last heard to have been set forward, device clock, ms. */
    clockSetOnAtMs: maybe(number),
    /** The user was told of an outage that began then, device clock, ms; absent = not told, or over. */
    outageToldSinceMs: maybe(number),
    /** How many clears it was sent on a day (UTC, Unix seconds div 86,400). */
    told: maybe(fields({ day: count, count })),
    /** Recent errors of requests, for the next leader: device clock, ms, and weight. */
    errors: maybe(list(fields({ atMs: number, weight: number }))),
  },
  /** Credentials on one server. A subscription names its account, or none. */
  accounts: {
    accountId: count,
    serverId: count,
    credentials,
    /** Whose token it is, as far as the server has said. */
    user: maybe(text),
    /** The server issued the token to this app instead of a password: it is extended, and removed on signing out. */
    issued: one,
    /** Unix seconds by the server's clock, for tokens that expire. */
    expires: maybe(number),
    /** When the server refused the credentials, device clock, ms; they aren't tried again until the user asks. */
    refusedAtMs: maybe(number),
  },
  /** A topic that the user subscribed to, with its counters (kept up to date by `MessageWriter`). */
  subscriptions: {
    subId: count,
    serverId: count,
    /** 0 = none. Never absent, so that groups are keyed (server, account). */
    accountId: count,
    topic: isId,
    ...TOPIC_CHOICES,
    order: number,
    /** For "from now on": server time, Unix seconds. Ingest drops anything older. */
    fromTime: maybe(number),
    /** Messages from before this server time, Unix seconds, count as read when they arrive; absent = none do. */
    readBefore: maybe(number),
    /** Up to this server time, Unix seconds, everything is known to be stored; only complete polls move it. */
    timeCursor: maybe(number),
    /** Absent = its messages haven't shown it yet, so those of the server's other topics count. */
    keptFor: maybe(fields(KEPT_FOR)),
    /** 1 = joined its group's cursor; 0 = had joined, then left; absent = never joined. */
    joined: maybe(only(0, 1)),
    /** Code of the server's refusal (docs/protocol.md §10); the topic is left out until it is tried again. */
    refusedCode: maybe(number),
    ...COUNTED,
    newest: maybe(fields(NEWEST)),
    /** When the user removed the topic, device clock, ms; its messages are purged after the undo time. */
    removedAtMs: maybe(timeOrNever),
    /** Purging its messages has begun, so it is too late to undo. */
    purging: one,
  },
  /** The id cursor of one group of topics that are polled together. Only complete polls move it, and only forward. */
  cursors: {
    serverId: count,
    accountId: count,
    id: text,
    /** Time of the message with this id, Unix seconds: ids work across topics, and messages are ordered by time. */
    time: number,
    /** After this time, Unix seconds, the server no longer knows the id. */
    expires: number,
  },
  messages: STORED_MESSAGE,
  /** State of a sequence after all its events; see `reduce-sequence.ts`. */
  sequences: {
    subId: count,
    sequence: text,
    /**
     * The newest delivered version known, stored or not. Absent when only a delete or clear has been seen, or when a
     * delete left no version. `arrival` is the greatest of its second.
     */
    newest: maybe(fields({ ...MARK, arrival: number })),
    /** Newest delete and clear. */
    deleted: maybe(fields(CONTROL)),
    cleared: maybe(fields(CONTROL)),
    /** After this time, Unix seconds, the record can be removed. */
    until: number,
  },
  /** Keeps a deleted or pruned message from coming back. */
  tombstones: {
    subId: count,
    /** Part of the key as in `messages`, so that one range of times finds a batch's keys in both stores. */
    time: number,
    id: text,
    /** After this time, Unix seconds, the record can be removed; see `handedOutUntil`. */
    until: number,
  },
  /** How many of a subscription's messages in the feed are of one day (UTC, `time` div 86,400). */
  counts: {
    subId: count,
    day: number,
    count: number,
  },
  /** A gap, a span in which messages may be missing. Server time, Unix seconds. */
  gaps: {
    subId: count,
    from: number,
    to: number,
    /** The server no longer had what it should have kept; absent = the device was away for too long. */
    forgot: one,
    /** The server had more than it sends at once. */
    cut: one,
  },
  /**
   * What a search needs of some 100 consecutive current messages, without their text; written after the ingest. Each
   * message has a slot, in the order of the feed (time, arrival). A second is never split between two segments.
   */
  segments: {
    /** Times of the first and the last message, Unix seconds; `from` is the key. */
    from: number,
    to: number,
    times: view("Float64Array"),
    arrivals: view("Float64Array"),
    subIds: view("Uint32Array"),
    /** Priority and yes-or-no facts, see `slotFacts`. */
    facts: view("Uint16Array"),
    /** The ids of all slots, one after the other, and where each ends. */
    ids: text,
    idEnds: view("Uint32Array"),
    /** The tags that occur, in lower case; `tagSlots` has for each, in turn, how many slots have it, and which. */
    tags: list(text),
    tagSlots: view("Uint16Array"),
  },
  /** A segment's folded text, read only if the segment can't rule a search out. */
  segmentTexts: {
    /** `from` of its segment. */
    from: number,
    /** The folded texts of all slots, one after the other, each as `searchText` returns it. */
    text,
    /** For each slot, where its title, its body and its whole text end in `text`. */
    ends: view("Uint32Array"),
  },
  /** Signatures of consecutive segments, see `search/signature.ts`. */
  signatures: {
    /** `from` of its first segment. */
    from: number,
    /** The spans of its segments. */
    froms: view("Float64Array"),
    tos: view("Float64Array"),
    /** The signatures, one after the other, and where each ends. */
    ends: view("Uint32Array"),
    bits: view("Uint8Array"),
  },
  /** A saved view: a name for a link. */
  views: {
    viewId: count,
    name: text,
    /** Fragment of the view's link, `#/…`. */
    link: text,
    order: number,
  },
  /** A message's file: kept on this device, or why not. The file itself is in the cache `FILE_CACHE`. */
  attachments: {
    subId: count,
    /** Of the message. */
    id: isId,
    /** Of the message: with it, the two above are its key. */
    time: number,
    state: fileState,
  },
  push: PUSH,
  /** Alerts that one or several ingest transactions claimed, and that no tab has confirmed yet. */
  claims: {
    /** Arrival number of its first message, which makes it unique. */
    claimId: number,
    keys: list(key),
    /** After this time, Unix seconds of the device, it is too late to alert. */
    until: number,
    /** A hub offers it to its tabs until then, device clock, ms; absent = none does. */
    heldUntilMs: maybe(timeOrNever),
  },
  snapshots: SNAPSHOT,
  outbox: OUTGOING_MESSAGE,
  /** A sequence that was read here, of which its server is yet to be told; see `edit/clears.ts`. */
  clears: {
    subId: count,
    sequence: isId,
    /** Of the version that was read. */
    time,
    id: isId,
    priority: isPriority,
    /** After this time, Unix seconds, the server no longer has it. */
    expires: number,
    /** When its server may be told, device clock, ms. */
    dueAtMs: number,
  },
  /** The group of devices that this one belongs to, or was removed from: one record, or none. Never in a backup. */
  group: {
    /** This device's id. */
    deviceId: text,
    name: text,
    /** Of the topic that carries the group. */
    address,
    topic: isId,
    /** The key of the group, base64url. */
    key: text,
    /** This device's ECDH pair, as the hub writes it. */
    privateKey: text,
    publicKey: text,
    shares: list(only(...SHARE_KINDS)),
    /** The others removed it, and it is no longer a member. */
    ended: maybe(only("removed")),
    /** How many packets this device has sent, and which of them was the last with registers. */
    counter: count,
    toldCounter: maybe(count),
    /** How far the server's clock is ahead of the device's, ms; absent = not yet heard. Stamps go by it. */
    aheadMs: maybe(number),
    /** The most that it was ahead since this device joined: what changed before the device's clock was set forward. */
    mostAheadMs: maybe(number),
    /** The id of a packet before which none was missed. */
    since: maybe(text),
    /** By device: the greatest counter heard of it, and when, device clock, ms; how far it has heard this one. */
    heard: maybe(handedOn<Record<string, { counter: number; atMs: number; ofMe?: number }>>()),
    /** Something was missed since this server time, Unix seconds, and nobody has answered yet; until 0 = a newcomer. */
    missedSinceS: maybe(number),
    /** When this device asked for it, device clock, ms, and by which of its packets; absent = it hasn't yet. */
    asked: maybe(fields({ atMs: number, counter: count })),
    /** Until when its topic was listened to, device clock, ms. */
    aliveAtMs: maybe(number),
    /** When this device last told again what the server will forget, device clock, ms. */
    snapshotAtMs: maybe(number),
    /** How many packets may go before they have to wait, as of then, device clock, ms. */
    ration: maybe(fields({ left: number, atMs: number })),
    /** Topics that the group left, and what tells those who haven't followed where it is. Device clock, ms. */
    left: maybe(list(fields({ topic: text, text, atMs: number }))),
  },
  /** What the devices of the group share, one register each. */
  shared: {
    key: text,
    value: as<unknown>((value) => value !== undefined),
    stamp: isStamp,
    /** When this device learnt it, device clock, ms. */
    changedAtMs: number,
    /**
     * The others haven't been told: 1 = what is new; 2 = a mark told again, or from before the group; greater = a
     * removal, by when it can't be undone any more, device clock, ms.
     */
    unsent: maybe(number),
    /** Of a topic, of views and of a setting: as it was here when last compared, as JSON. */
    here: maybe(text),
  },
};

/** A record of a store. */
type RecordIn<Name extends keyof typeof SHAPES> = guards.RecordOf<(typeof SHAPES)[Name]>;

export type ServerRecord = RecordIn<"servers">;
export type AccountRecord = RecordIn<"accounts">;
export type SubscriptionRecord = RecordIn<"subscriptions">;
export type CursorRecord = RecordIn<"cursors">;
export type SequenceRecord = RecordIn<"sequences">;
export type TombstoneRecord = RecordIn<"tombstones">;
export type CountRecord = RecordIn<"counts">;
export type GapRecord = RecordIn<"gaps">;
export type SegmentRecord = RecordIn<"segments">;
export type SegmentTextRecord = RecordIn<"segmentTexts">;
export type SignatureRecord = RecordIn<"signatures">;
export type ViewRecord = RecordIn<"views">;
export type KeptFileRecord = RecordIn<"attachments">;
export type ClaimRecord = RecordIn<"claims">;
export type ClearRecord = RecordIn<"clears">;
export type GroupRecord = RecordIn<"group">;
export type SharedRecord = RecordIn<"shared"> & Register;

/** The whole database (docs/design.md §5): for each store its key, its records and its indexes. */
export interface EarshotSchema extends DBSchema {
  servers: { key: number; value: ServerRecord; indexes: { address: string } };
  accounts: { key: number; value: AccountRecord; indexes: { server: number } };
  subscriptions: { key: number; value: SubscriptionRecord; indexes: { serverTopic: [number, string] } };
  cursors: { key: [number, number]; value: CursorRecord };
  messages: {
    key: MessageKey;
    value: StoredMessage;
    /** `order` is the feed's. `listed` has an entry for each short list that a row is in. */
    indexes: { order: [time: number, arrival: number]; listed: Listing };
  };
  sequences: { key: [number, string]; value: SequenceRecord; indexes: { until: number } };
  tombstones: { key: MessageKey; value: TombstoneRecord; indexes: { until: number } };
  counts: { key: [number, number]; value: CountRecord };
  gaps: { key: [number, number]; value: GapRecord };
  segments: { key: number; value: SegmentRecord };
  segmentTexts: { key: number; value: SegmentTextRecord };
  signatures: { key: number; value: SignatureRecord };
  views: { key: number; value: ViewRecord };
  /** Keyed by the setting's name; the key is stored separately from the value. */
  settings: { key: string; value: unknown };
  attachments: { key: [number, string]; value: KeptFileRecord };
  push: { key: number; value: PushRecord };
  claims: { key: number; value: ClaimRecord; indexes: { until: number } };
  /** Snapshots of the last views; a write that changes what they show removes them all (`database.ts`). */
  snapshots: { key: string; value: Snapshot };
  outbox: { key: [number, string]; value: OutgoingMessage };
  clears: { key: [subId: number, sequence: string]; value: ClearRecord };
  group: { key: string; value: GroupRecord };
  shared: { key: string; value: SharedRecord; indexes: { unsent: number; changed: number } };
}
