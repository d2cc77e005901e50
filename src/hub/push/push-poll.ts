// A push can be lost, and the server then tells nobody, so each push that comes makes the worker poll for the others.
import {
  type Credentials,
  isCached,
  isMessageId,
  type Since,
  splitTopicsByUrlLength,
  type StorableEvent,
} from "../../protocol";
import type { Arrival } from "../../store";
import { poll } from "../poll";
import type { Requests } from "../requests";
import type { PushFacts } from "./read-push-facts";
import type { PushPlace } from "./push-place";

/** If nothing is stored to go on from, the poll reaches this far behind the push that came, seconds. */
const REACH_S = 3_600;

/** A worker that received a push has little time, so that more requests than this are left to the next page. */
const MOST_REQUESTS = 3;

/** What the polls after a push brought. */
export interface PushPolled {
  arrivals: Arrival[];
  /** The message to go on from next time, by account. */
  polled: Record<number, { id: string; expires: number }>;
}

/**
 * Asks a server for what has come since its last push. It goes on from a message of its own, and moves no cursor: what a
 * push says is not what a poll proves (docs/design.md §4).
 *
 * @param aroundS server time of the push that came, Unix seconds; undefined = it says none
 */
export async function pollAfterPush(
  place: PushPlace,
  requests: Requests,
  { record, server, accounts, subscriptions }: PushFacts,
  aroundS: number | undefined,
): Promise<PushPolled> {
  const found: PushPolled = { arrivals: [], polled: { ...record.polled } };
  const own = subscriptions.filter(
    ({ serverId, joined, refusedCode }) => serverId === server.serverId && joined === 1 && refusedCode === undefined,
  );
  let left = MOST_REQUESTS;
  for (const accountId of new Set(own.map((subscription) => subscription.accountId))) {
    const members = own.filter((subscription) => subscription.accountId === accountId);
    const since = await startOf(place, found.polled[accountId], server.serverId, accountId, aroundS);
    if (!since) continue;
    const credentials = accounts.find((account) => account.accountId === accountId)?.credentials;
    const topics = members.map(({ topic }) => topic);
    const events: StorableEvent[] = [];
    let isWhole = true;
    for (const list of splitTopicsByUrlLength(server.address, topics, undefined, credentials)) {
      isWhole = isWhole && left-- > 0 && (await pollOnce(place, requests, list, since, credentials, events));
    }
    for (const event of events) {
      const subscription = members.find(({ topic }) => topic === event.topic);
      if (subscription) found.arrivals.push({ subId: subscription.subId, event, via: "poll" });
    }
    const newest = isWhole ? newestCached(events) : undefined;
    if (newest) found.polled[accountId] = { id: newest.id, expires: newest.expires ?? newest.time };
  }
  return found;
}

async function startOf(
  { store, now }: PushPlace,
  polled: { id: string; expires: number } | undefined,
  serverId: number,
  accountId: number,
  aroundS: number | undefined,
): Promise<Since | undefined> {
  const nowS = now() / 1_000;
  if (polled && polled.expires > nowS) return { kind: "id", id: polled.id };
  const cursor = await store.getCursor(serverId, accountId);
  if (cursor.ok && cursor.value && cursor.value.expires > nowS) return { kind: "id", id: cursor.value.id };
  return aroundS === undefined ? undefined : { kind: "time", time: Math.max(0, aroundS - REACH_S) };
}

async function pollOnce(
  place: PushPlace,
  requests: Requests,
  topics: readonly string[],
  since: Since,
  credentials: Credentials | undefined,
  into: StorableEvent[],
): Promise<boolean> {
  const request = { topics, since, scheduled: false, credentials };
  const failure = await poll(place, requests, request, {
    events: (events) => void into.push(...events),
    malformed: () => undefined,
  });
  return failure === undefined;
}

function newestCached(events: readonly StorableEvent[]): StorableEvent | undefined {
  return events
    .filter((event) => event.event === "message" && isCached(event) && isMessageId(event.id))
    .reduce<StorableEvent | undefined>(
      (newest, event) => (newest && newest.time > event.time ? newest : event),
      undefined,
    );
}
