// A push can be lost, and the server then tells nobody, so each push that comes makes the worker poll for the others. So does
// the browser's background sync.
import {
  type Credentials,
  isCached,
  isMessageId,
  type Since,
  splitTopicsByUrlLength,
  type StorableEvent,
} from "../../protocol";
import type { AccountRecord, Arrival, ServerRecord, SubscriptionRecord } from "../../store";
import { poll } from "../poll";
import type { Requests } from "../requests";
import type { PushPlace } from "./push-place";

/** A worker that received a push has little time, so that more requests than this are left to the next page. */
const MAX_REQUESTS = 3;

/** What such polls go by. */
interface PollFacts {
  server: ServerRecord;
  accounts: AccountRecord[];
  /** Of all servers. */
  subscriptions: SubscriptionRecord[];
  /** The newest message that such polls brought before, by account. */
  polled?: PushPolled["polled"] | undefined;
}

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
 * @param otherwise where to start if nothing known here tells; undefined = then the server isn't asked
 */
export async function pollInBackground(
  place: PushPlace,
  requests: Requests,
  { server, accounts, subscriptions, polled }: PollFacts,
  otherwise: Since | undefined,
): Promise<PushPolled> {
  const found: PushPolled = { arrivals: [], polled: { ...polled } };
  const own = subscriptions.filter(
    ({ serverId, joined, refusedCode }) => serverId === server.serverId && joined === 1 && refusedCode === undefined,
  );
  let left = MAX_REQUESTS;
  for (const accountId of new Set(own.map((subscription) => subscription.accountId))) {
    const members = own.filter((subscription) => subscription.accountId === accountId);
    const since = (await startOf(place, found.polled[accountId], server.serverId, accountId)) ?? otherwise;
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
): Promise<Since | undefined> {
  const nowS = now() / 1_000;
  if (polled && polled.expires > nowS) return { kind: "id", id: polled.id };
  const cursor = await store.getCursor(serverId, accountId);
  return cursor.ok && cursor.value && cursor.value.expires > nowS ? { kind: "id", id: cursor.value.id } : undefined;
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
