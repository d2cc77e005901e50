// What commands say about topics, their groups and saved views.
import {
  type Credentials,
  type ExtraHeaders,
  type Failure,
  guards,
  isId,
  isPriority,
  MESSAGE_DRAFT,
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

const { as, count, isJsonObject, list, maybe, number, only, text, timeOrNever } = guards;

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
  why: maybe(as<Failure>(isJsonObject)),
};
export interface OutgoingMessage extends guards.RecordOf<typeof OUTGOING_MESSAGE> {}

/** What users choose for a topic. */
export const TOPIC_CHOICES = {
  displayName: maybe(text),
  /** Index into the ten topic hues; absent = the one from a hash of the topic. */
  colour: maybe(count),
  /** An emoji, or the name of a drawn symbol. */
  icon: maybe(text),
  /** The name of its group; absent = it is listed with its server. */
  group: maybe(text),
  /** Device clock, ms; Infinity = until unmuted. Affects alerts and the unread total. */
  mutedUntilMs: maybe(timeOrNever),
  /** Affects alerts only. */
  minPriority: maybe(isPriority),
  /** Affects alerts only, in place of those of all topics; read it by `decodeQuietHours`. */
  quietHours: maybe(as<QuietHours>(isJsonObject)),
  /** How many days to keep its messages, instead of the overall setting; 0 = for ever. */
  keepDays: maybe(count),
  /** How many of its messages to keep, the newest; absent = the overall limit, for all topics together. */
  keepMessages: maybe(count),
  /** The largest file of its messages to keep on this device, MB, instead of the overall setting; 0 = none. */
  keepFilesMb: maybe(count),
  /** Its repeats are shown one by one, not folded (docs/design.md §6). */
  showsRepeats: maybe(only(true)),
  /** `on`: its server is told what is read here, as nobody else reads it. `refused`: the server took no clear. */
  tellsRead: maybe(only("on", "refused")),
  /** Filters of messages that Everything leaves out; read them by `hidingRules`. */
  hides: maybe(list(text)),
};
export type TopicChoices = guards.RecordOf<typeof TOPIC_CHOICES>;

/** Changes to a record's properties; `null` removes one. */
export type Patch<Fields> = { [Name in keyof Fields]?: Fields[Name] | null };

export interface SubscriptionPatch extends Patch<TopicChoices> {}

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
