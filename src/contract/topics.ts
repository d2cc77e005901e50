// What commands say about topics, their groups and saved views.
import {
  type Credentials,
  type ExtraHeaders,
  type Failure,
  guards,
  isId,
  MESSAGE_DRAFT,
  type Priority,
  type ServerAddress,
  type Result,
  fail,
  ok,
} from "../protocol";
import type { QuietHours } from "./alerts/quiet-hours";

export interface SubscribeInput {
  address: ServerAddress;
  /** One or more valid topic names. */
  topics: string[];
  credentials?: Credentials;
  /** For a proxy in front of the server: sent with every request, replacing earlier ones. */
  headers?: ExtraHeaders;
  /** `all` takes what the server still has, `read` does so as read; `now` takes only what comes from now on. */
  history: "all" | "read" | "now";
}

const { as, count, maybe, number } = guards;

/** A message of the outbox, which has yet to reach its server (docs/design.md §6). */
export const OUTGOING_MESSAGE = {
  ...MESSAGE_DRAFT,
  subId: count,
  /** Published with it, so that sending it again replaces it. */
  sequence: isId,
  /** When the user sent it, device clock, ms. */
  atMs: number,
  /** When a try began whose outcome is unknown, by its server's clock if known, ms. */
  triedAtMs: maybe(number),
  /** Why its server refused it; it isn't tried again unasked. */
  why: maybe(as<Failure>(guards.isJsonObject)),
};
export interface OutgoingMessage extends guards.RecordOf<typeof OUTGOING_MESSAGE> {}

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
  /** `refused` is set by the hub. */
  tellsRead?: "on" | "refused" | null;
  hides?: string[] | null;
}

/** The longest that anything can be muted or snoozed with an end, ms. */
export const MAX_MUTE_MS = 366 * 86_400_000;

/**
 * Whether a mute is in force. One that would end later than anybody can choose was set while the device's clock was
 * ahead, and counts as ended.
 *
 * @param untilMs device clock, ms; Infinity = until unmuted
 */
export function isMuted(untilMs: number | undefined, nowMs: number): untilMs is number {
  return untilMs !== undefined && untilMs > nowMs && (untilMs === Infinity || untilMs <= nowMs + MAX_MUTE_MS);
}

/** A group of topics in the list. Names are unique. */
export interface TopicGroup {
  name: string;
  /** Only the group's name and unread count are shown. */
  collapsed?: true;
}

/** The arrangement of topics: groups in order, and all topics in order, each with its group. */
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

/** What an account lists on its server. */
export interface ListedTopics {
  accountId: number;
  user?: string;
  /** Topics of the server not subscribed here. `isReserved`: reserved for the account, but not on its list. */
  topics: { topic: string; displayName?: string; isReserved?: true }[];
}

/**
 * How long a server keeps a topic's messages at least, seconds; undefined = unknown. The topic's own messages decide,
 * else those of the server's other topics.
 *
 * @param serverS the server's retention, seconds; 0 = it has no cache
 * @param keptFor what the topic's messages have shown
 */
export function topicRetentionS(
  serverS: number | undefined,
  keptFor: { leastS: number } | undefined,
): number | undefined {
  return serverS === 0 ? 0 : (keptFor?.leastS ?? serverS);
}

/** How many topic colours there are, `--topic-0` to `--topic-9`. */
export const TOPIC_HUES = 10;

/** A topic's colour: the chosen one, else from a hash of its name, the same on every device. */
export function topicHue(topic: string, chosen?: number): number {
  if (chosen !== undefined && chosen >= 0 && chosen < TOPIC_HUES) return Math.floor(chosen);
  let hash = 0x811c9dc5;
  for (let index = 0; index < topic.length; index++) {
    hash = Math.imul(hash ^ topic.charCodeAt(index), 0x01000193);
  }
  // The low bits of FNV-1a alone hardly differ for names such as "a1" and "a2".
  hash ^= hash >>> 15;
  return (hash >>> 0) % TOPIC_HUES;
}

/** The longest name of a view, characters; it must fit the rail. */
export const MAX_LETTERS_OF_VIEW = 60;

/** The most columns side by side; each reads and draws its own feed. */
export const MAX_COLUMNS = 30;

/** Among more views than this, nobody finds one. */
export const MAX_VIEWS = 100;

export type ViewError = "no-name" | "long-name" | "same-name" | "no-link" | "too-many";

export function checkViews(views: readonly SavedView[]): Result<null, ViewError> {
  if (views.length > MAX_VIEWS) return fail("too-many");
  const names = new Set<string>();
  for (const { name, link } of views) {
    if (name.trim() === "") return fail("no-name");
    if (name.length > MAX_LETTERS_OF_VIEW) return fail("long-name");
    if (names.has(name)) return fail("same-name");
    if (!link.startsWith("#/")) return fail("no-link");
    names.add(name);
  }
  return ok(null);
}
