// Web Push between pages and the worker that receives it.
import { type Priority, splitPushTopics } from "../protocol";

/** The part of a topic that decides whether it is pushed. */
export interface PushTopic {
  topic: string;
  accountId: number;
  /** Device clock, ms; Infinity = until unmuted. */
  mutedUntilMs?: number;
  minPriority?: Priority;
}

/**
 * The lists of topics that a server is to push, one for each registration: a list has the topics of one account.
 *
 * A topic that is muted for good isn't pushed. One that is muted for a while still is, as nobody could let it back in
 * with the app closed, unless each push must show something. The same holds for all topics while everything is muted, and
 * for as long as notifications are off.
 */
export function pushLists(
  subscriptions: readonly PushTopic[],
  {
    mustShow,
    nowMs,
    alerts = true,
    allMutedUntilMs = 0,
  }: { mustShow: boolean; nowMs: number; alerts?: boolean; allMutedUntilMs?: number | undefined },
): { accountId: number; topics: string[] }[] {
  if (mustShow && !alerts) return [];
  const byAccount = new Map<number, string[]>();
  for (const { topic, accountId, mutedUntilMs = 0 } of subscriptions) {
    const untilMs = Math.max(mutedUntilMs, allMutedUntilMs);
    if (untilMs === Infinity || (mustShow && untilMs > nowMs)) continue;
    byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), topic]);
  }
  return [...byAccount].flatMap(([accountId, topics]) =>
    splitPushTopics([...topics].sort()).map((list) => ({ accountId, topics: list })),
  );
}

/** From the worker that receives pushes to the pages: a push came, and what it brought is stored. */
export interface PushNews {
  kind: "push-news";
  serverId: number;
  /** Id of the message that it brought, if any. */
  id?: string;
}

/** Whether data is such news; anything on the origin can send messages to a page. */
export function isPushNews(data: unknown): data is PushNews {
  return (
    typeof data === "object" &&
    data !== null &&
    "kind" in data &&
    data.kind === "push-news" &&
    "serverId" in data &&
    typeof data.serverId === "number"
  );
}
