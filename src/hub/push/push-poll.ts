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

/** All polls of a server together take at most this long, ms: Firefox ends an idle worker after 30 s, Chromium a push after 90. */
const MAX_POLLING_MS = 20_000;

/** More messages than these are left to the next page, as storing them would outlast the worker's time. */
const MAX_POLLED = 2_000;

/** What such polls go by. */
interface PushPollFacts {
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

/** What is left of the limits of one receipt. */
interface Budget {
  requests: number;
  messages: number;
  /** Aborted once the time is over, or enough messages came. */
  readonly aborter: AbortController;
}

/**
 * Asks a server for what has come since its last push. What came within the limits is kept; a poll that they ended counts as
 * not whole, so that the next one starts where it did. It goes on from a message of its own, and moves no cursor: what a
 * push says is not what a poll proves (docs/design.md §4).
 *
 * @param otherwise where to start if nothing known here tells; undefined = then the server isn't asked
 */
export async function pollInBackground(
  place: PushPlace,
  requests: Requests,
  { server, accounts, subscriptions, polled }: PushPollFacts,
  otherwise: Since | undefined,
): Promise<PushPolled> {
  const found: PushPolled = { arrivals: [], polled: { ...polled } };
  const own = subscriptions.filter(
    ({ serverId, joined, refusedCode }) => serverId === server.serverId && joined === 1 && refusedCode === undefined,
  );
  const left: Budget = { requests: MAX_REQUESTS, messages: MAX_POLLED, aborter: new AbortController() };
  const timer = place.setTimer(() => left.aborter.abort(), MAX_POLLING_MS);
  for (const accountId of new Set(own.map((subscription) => subscription.accountId))) {
    const members = own.filter((subscription) => subscription.accountId === accountId);
    const since = (await startOf(place, found.polled[accountId], server.serverId, accountId)) ?? otherwise;
    const account = accounts.find((one) => one.accountId === accountId);
    if (!since || account?.refusedAtMs !== undefined) continue;
    const credentials = account?.credentials;
    const topics = members.map(({ topic }) => topic);
    const events: StorableEvent[] = [];
    let isWhole = true;
    for (const list of splitTopicsByUrlLength(server.address, topics, undefined, credentials)) {
      isWhole = isWhole && (await pollOnce(place, requests, { topics: list, since, credentials, into: events }, left));
    }
    for (const event of events) {
      const subscription = members.find(({ topic }) => topic === event.topic);
      if (subscription) found.arrivals.push({ subId: subscription.subId, event, via: "poll" });
    }
    const newest = isWhole ? newestCached(events) : undefined;
    if (newest) found.polled[accountId] = { id: newest.id, expires: newest.expires ?? newest.time };
  }
  place.clearTimer(timer);
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

/** What one poll asks for, and where its events go. */
interface OnePoll {
  topics: readonly string[];
  since: Since;
  credentials: Credentials | undefined;
  into: StorableEvent[];
}

/** Polls once, within what is left. Resolves to whether it ended whole. */
async function pollOnce(
  place: PushPlace,
  requests: Requests,
  { into, ...asked }: OnePoll,
  left: Budget,
): Promise<boolean> {
  const { aborter } = left;
  if (left.requests-- <= 0 || aborter.signal.aborted) return false;
  const failure = await poll(
    place,
    requests,
    { ...asked, scheduled: false, signal: aborter.signal },
    {
      events(events) {
        if (aborter.signal.aborted) return;
        into.push(...events);
        left.messages -= events.length;
        if (left.messages <= 0) aborter.abort();
      },
      malformed: () => undefined,
    },
  );
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
