// Web Push between pages and the worker that receives it.
import { guards, splitPushTopics, type Failure, type PushKeyProblem, type PushTarget } from "../../protocol";
import type { ButtonStrings } from "./message-notification";
import { isMuted } from "./quiet-hours";

export type PushFault =
  /** It names no key: it has none (`off`), is too old to say (`untold`), or sends something else. */
  | { kind: "no-key"; problem: PushKeyProblem | "untold" }
  /** It doesn't send to this browser's push service. */
  | { kind: "service-refused" }
  /** It refused, as it does if too many devices at one address are registered. */
  | { kind: "too-many-devices" }
  /** None of the topics may be read. */
  | { kind: "forbidden" }
  | { kind: "failed"; why: Failure };

/** Texts for the push worker, which loads no language. It fills in what is in `{…}`. */
export interface PushWorkerStrings {
  /** Has `{title}` and `{topic}`. */
  title: string;
  /** Replaces bodies that aren't text or have nothing visible. */
  binary: string;
  unseen: string;
  /** Has `{count}`, which is 2 or more. */
  many: string;
  /** As `many`, for messages that the topics' rules held back. */
  heldBack: string;
  /** For a push with nothing to show, if the browser requires each to show something. */
  changed: string;
  /** Absent = they were left by an earlier version of the app. */
  buttons?: ButtonStrings;
}

const { as, count, fields, isJsonObject, list, maybe, number, only, text } = guards;

/** A push registration of the browser, as its server last heard of it. */
const PUSH_PART = {
  /** Relative to the app; see `pushScope`. */
  scope: text,
  /** A secret: whoever knows it and its keys can send pushes. */
  endpoint: text,
  /** 0 = none. */
  accountId: count,
  topics: list(text),
  /** When the worker renewed it by itself, device clock, ms; absent = with all parts, see `PushState`. */
  postedAtMs: maybe(number),
  /** When it last failed to renew it, device clock, ms; absent = not since it was registered or renewed. */
  failedAtMs: maybe(number),
};
export interface PushPart extends guards.RecordOf<typeof PUSH_PART> {}

/** The state of a server's pushes. Times are device clock, ms. */
export const PUSH_STATE = {
  serverId: count,
  /** The server's public key, URL-safe base64. */
  key: text,
  parts: list(fields(PUSH_PART)),
  /** Topics the server refuses to push because they may not be read. */
  refused: list(text),
  /** The field keeps the name under which it was first stored. */
  words: as<PushWorkerStrings>(isJsonObject),
  /** Whether the browser withdraws the permission if pushes show nothing. */
  mustShow: maybe(only(true)),
  sinceMs: number,
  /** When the server last heard of the registration; it forgets one after 60 days. */
  postedAtMs: number,
  /** Why the server refused the last registration; absent = it accepted it. */
  fault: maybe(as<PushFault>(isJsonObject)),
  pushedAtMs: maybe(number),
  /** When a push last made the worker poll. */
  checkedAtMs: maybe(number),
  /** How many pushes in a row showed nothing. */
  heldBack: maybe(number),
};
export interface PushState extends guards.RecordOf<typeof PUSH_STATE> {}

/** Sends a server this browser's push subscriptions, replacing earlier ones. */
export type RegisterPushInput = Pick<PushState, "serverId" | "key" | "words" | "mustShow"> & {
  parts: { scope: string; accountId: number; topics: string[]; target: PushTarget }[];
};

/**
 * The lists of topics that a server is to push, one per registration; each has the topics of one account.
 *
 * A topic muted for good isn't pushed. One muted for a while is, because nobody could add it again with the app closed,
 * unless each push must show something. The same holds for all topics while everything is muted or notifications are
 * off.
 */
export function pushLists(
  subscriptions: readonly { topic: string; accountId: number; mutedUntilMs?: number }[],
  {
    mustShow,
    nowMs,
    alerts = true,
    allMutedUntilMs,
  }: { mustShow: boolean; nowMs: number; alerts?: boolean; allMutedUntilMs?: number | undefined },
): { accountId: number; topics: string[] }[] {
  if (mustShow && !alerts) return [];
  const byAccount = new Map<number, string[]>();
  for (const { topic, accountId, mutedUntilMs } of subscriptions) {
    const mutes = [mutedUntilMs, allMutedUntilMs];
    if (mutes.includes(Infinity) || (mustShow && mutes.some((untilMs) => isMuted(untilMs, nowMs)))) continue;
    byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), topic]);
  }
  return [...byAccount].flatMap(([accountId, topics]) =>
    splitPushTopics([...topics].sort()).map((list) => ({ accountId, topics: list })),
  );
}

/** Held by the page or worker that changes registrations. */
export const PUSH_LOCK = "earshot push";

/** Scope of that worker's registration, relative to the app; two folders down, like those for pushes. */
export const SYNC_SCOPE = "./sync/all/";

/** The only task of background sync. */
export const SYNC_TAG = "receive";

/** The cache in which a page leaves the worker's strings, and their address, relative to the app. */
export const SYNC_CACHE = "earshot-sync";
export const SYNC_STRINGS = "./sync/words";
