// Pushes can be lost without a trace, so each makes the worker poll for others, as does the browser's background sync.
import type { PushWorkerStrings } from "../../contract";
import { type Since, splitTopicsByUrlLength, type StorableEvent } from "../../protocol";
import type { Arrival, SubscriptionRecord } from "../../store";
import { forEachInTurn } from "../environment";
import { readServers, type StoredServer } from "../read-servers";
import { refuseAccount } from "../connection/refusals";
import { tellHubs } from "../lead/between-hubs";
import { poll } from "../requests/poll";
import { Requests } from "../requests/requests";
import { nextMarker } from "../sync/poll-start";
import { updateBadge } from "./push-notifications";
import type { PushWorker } from "./push-worker";
import { BackgroundDelivery } from "./background-delivery";

/** A push worker has little time, so further requests are left to the next page. */
const MAX_REQUESTS = 3;

/** All polls of a server together take at most this long, ms: Firefox ends an idle worker after 30 s, Chromium a push after 90. */
const MAX_POLLING_MS = 20_000;

/** Further messages are left to the next page: storing them would outlast the worker's time. */
const MAX_POLLED = 2_000;

export interface PushPolled {
  arrivals: Arrival[];
  /** The message to continue from next time, by account. */
  polled: Record<number, { id: string; expires: number }>;
}

/**
 * Asks a server for what came since its last push. What came within the limits is kept; a poll that they cut off is
 * incomplete, so the next starts at the same place. It continues from a message of its own and moves no cursor: a push
 * proves nothing (docs/design.md §4).
 *
 * @param polled the newest message that such polls brought before, by account
 * @param otherwise where to start if nothing known here tells; undefined = then the server isn't asked
 */
export async function pollInBackground(
  worker: PushWorker,
  requests: Requests,
  { server, accounts, subscriptions }: StoredServer,
  polled: PushPolled["polled"] | undefined,
  otherwise: Since | undefined,
): Promise<PushPolled> {
  const found: PushPolled = { arrivals: [], polled: { ...polled } };
  const own = subscriptions.filter(({ joined, refusedCode }) => joined === 1 && refusedCode === undefined);
  let requestsLeft = MAX_REQUESTS;
  let messagesLeft = MAX_POLLED;
  const aborter = new AbortController();
  const { signal } = aborter;
  const timer = worker.setTimer(() => aborter.abort(), MAX_POLLING_MS);
  for (const accountId of new Set(own.map((subscription) => subscription.accountId))) {
    const members = own.filter((subscription) => subscription.accountId === accountId);
    const since = (await startOf(worker, found.polled[accountId], server.serverId, accountId)) ?? otherwise;
    const account = accounts.find((one) => one.accountId === accountId);
    if (!since || account?.refusedAtMs !== undefined) continue;
    const credentials = account?.credentials;
    const topics = members.map(({ topic }) => topic);
    const events: StorableEvent[] = [];
    const take = (some: StorableEvent[]): void => {
      if (signal.aborted) return;
      events.push(...some);
      messagesLeft -= some.length;
      if (messagesLeft <= 0) aborter.abort();
    };
    let isWhole = true;
    for (const list of splitTopicsByUrlLength(server.address, topics, credentials)) {
      if (!isWhole) break;
      const request = { topics: list, since, credentials, scheduled: false, signal };
      const mayAsk = requestsLeft-- > 0 && !signal.aborted;
      const failure = mayAsk ? await poll(requests, request, { events: take }) : undefined;
      isWhole = mayAsk && !failure;
      if (failure?.kind === "unauthorized" && account) await refuseInBackground(worker, accountId, members);
    }
    for (const event of events) {
      const subscription = members.find(({ topic }) => topic === event.topic);
      if (subscription) found.arrivals.push({ subId: subscription.subId, event, via: "poll" });
    }
    const newest = isWhole ? nextMarker(server, accountId, events, Infinity) : undefined;
    if (newest) found.polled[accountId] = { id: newest.id, expires: newest.expires };
  }
  worker.clearTimer(timer);
  return found;
}

/** Records that a server refused an account, and tells the hub that leads, which says so to the user. */
export async function refuseInBackground(
  worker: PushWorker,
  accountId: number,
  own: readonly SubscriptionRecord[],
): Promise<void> {
  if (await refuseAccount(worker, accountId, own))
    tellHubs(worker.channel, { kind: "event", event: { kind: "catalogue" } });
}

async function startOf(
  { store, now }: PushWorker,
  polled: { id: string; expires: number } | undefined,
  serverId: number,
  accountId: number,
): Promise<Since | undefined> {
  const cursor = await store.cursor([serverId, accountId]);
  const known = [polled, cursor.ok ? cursor.value : undefined].flatMap((one) => one ?? []);
  const [last] = known.sort((a, b) => b.expires - a.expires);
  return last && last.expires > now() / 1_000 ? { kind: "id", id: last.id } : undefined;
}

/** Polls all servers, stores what came, shows alerts nobody else shows. Moves no cursor; idle if a page is in sight. */
export async function receiveInBackground(worker: PushWorker, words: PushWorkerStrings): Promise<void> {
  const { store, isInSight } = worker;
  if (await isInSight()) return;
  const [stored, settings] = await Promise.all([readServers(store), store.settings()]);
  if (!stored.ok || !settings.ok) return;
  await forEachInTurn(stored.value, async (one) => {
    const { server } = one;
    const delivery = new BackgroundDelivery(worker, { ...one, settings: settings.value }, words);
    // Anything older than the last known message is history, or came already.
    const requests = new Requests(worker, server.address, server);
    const { arrivals } = await pollInBackground(worker, requests, one, undefined, { kind: "all" });
    await delivery.store(arrivals);
    await delivery.showClaimed(true);
  });
  await updateBadge(worker);
}
