// What commands say of topics, their groups and saved views.
import type { Credentials, ExtraHeaders, Priority, ServerAddress } from "../protocol";
import type { QuietHours } from "./quiet-hours";

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

/** What an account lists on its server. */
export interface ListedTopics {
  accountId: number;
  user?: string;
  /** Topics of the server that aren't subscribed to here. `isReserved`: kept for the account, and not on its list. */
  topics: { topic: string; displayName?: string; isReserved?: true }[];
  /** Topics here that were removed from the account elsewhere since they were in step. */
  leftThere: string[];
}
