// What happens when a push comes, in the worker of its registration (docs/design.md §11).
import { keyOf, type PushFault, type PushPart } from "../../contract";
import { decodePush, type PushPayload, type StorableEvent } from "../../protocol";
import type { Arrival, PushRecord } from "../../store";
import { isRecent } from "../environment";
import { tellHubs } from "../lead/between-hubs";
import { rowOf } from "../server/ingest-queue";
import { Requests } from "../requests/requests";
import {
  filledIn,
  pushedNotification,
  quietNotification,
  unstoredNotification,
  updateBadge,
} from "./push-notifications";
import { type PushWorker, type PushFacts, readPushFacts } from "./push-worker";
import { pollInBackground, refuseInBackground } from "./push-poll";
import { BackgroundDelivery } from "./background-delivery";
import { deletePush, postPush } from "./register-push";

/** Pushes that come within this time, ms, cause a single poll: servers ration requests (docs/protocol.md §11). */
const POLL_EVERY_MS = 30_000;

/** If no stored message says where to start, the poll begins this many seconds before the push. */
const REACH_S = 3_600;

/** The first push after this, ms, renews a registration: its server warns after 55 days, and forgets it after 60. */
const RENEW_AFTER_MS = 86_400_000;

/** A renewal that failed is tried again after this, ms. */
const RENEW_AGAIN_AFTER_MS = 3_600_000;

/** Silent pushes in a row before a summary: Firefox ends a subscription after 16, Chromium shows its own words. */
const MAX_HELD_BACK = 10;

/** The changes that a push makes to a registration; an undefined fault removes the stored one. */
type PushChange = Omit<Partial<PushRecord>, "fault"> & { fault?: PushFault | undefined };

/**
 * Records a change, unless the pushes were ended meanwhile. Resolves to whether it could.
 *
 * @param change computed from what is stored by then
 */
async function notePush(
  { store }: PushWorker,
  serverId: number,
  change: PushChange | ((before: PushRecord) => PushChange),
): Promise<boolean> {
  const edited = await store.editPush(serverId, (before) => {
    if (!before) return undefined;
    const after = { ...before, ...(typeof change === "function" ? change(before) : change) };
    if (after.fault === undefined) delete after.fault;
    return after as PushRecord;
  });
  return edited.ok;
}

/**
 * Handles a push. Never rejects for expected failures of servers, browsers and storage. Resolves to whether it also
 * looked for what pushes may have missed, which the first of several at once does.
 */
export async function receivePush(worker: PushWorker, text: string): Promise<boolean> {
  const payload = decodePush(text);
  const read = () => readPushFacts(worker.store, worker.scope);
  let facts = await read();
  // A page may be about to store the registration that it has just made.
  if (facts === "nobody")
    await worker.alone(async () => {
      facts = await read();
      if (facts === "nobody") await worker.end();
    });
  if (facts === "unreadable") await showUnstored(worker, payload);
  return typeof facts !== "string" && new PushHandler(worker, facts, payload).run();
}

/** Shows a push that can't be stored, because there is no readable database. */
export async function showUnstored(worker: Pick<PushWorker, "show" | "now">, payload: PushPayload): Promise<void> {
  if (payload.kind === "event" && payload.event.event === "message")
    await worker.show(unstoredNotification(payload.event, worker.now()));
}

/** Handles one push, from its arrival to the last of its effects. */
class PushHandler {
  readonly #requests: Requests;
  readonly #delivery: BackgroundDelivery;

  constructor(
    private readonly worker: PushWorker,
    private readonly facts: PushFacts,
    private readonly payload: PushPayload,
  ) {
    const { record, server } = facts;
    this.#requests = new Requests(worker, server.address, server);
    this.#delivery = new BackgroundDelivery(worker, facts, record.words);
  }

  async run(): Promise<boolean> {
    const event = this.#event;
    if (this.facts.record.mustShow) await this.#showFirst();
    if (this.#arrival) await this.#delivery.store([this.#arrival]);
    await this.#delivery.showClaimed();
    const polls = await this.#noteCome();
    tellHubs(this.worker.channel, { kind: "event", event: { kind: "pushed", ...(event && { id: event.id }) } });
    const patch = polls ? await this.#poll(event) : {};
    await this.#delivery.showClaimed(true);
    await this.#sumUpHeldBack(patch);
    await updateBadge(this.worker);
    await this.#note(patch);
    await this.#renew();
    return polls;
  }

  #note(change: PushChange | ((before: PushRecord) => PushChange)): Promise<boolean> {
    return notePush(this.worker, this.facts.server.serverId, change);
  }

  get #event(): StorableEvent | undefined {
    return this.payload.kind === "event" ? this.payload.event : undefined;
  }

  get #subscription() {
    return this.facts.subscriptions.find(({ topic }) => topic === this.#event?.topic);
  }

  /** What came; undefined if its topic isn't subscribed here. */
  get #arrival(): Arrival | undefined {
    return this.#event && this.#subscription && { subId: this.#subscription.subId, event: this.#event, via: "push" };
  }

  /** Shows something before trying anything else: if the worker is ended early, it has at least shown that. */
  async #showFirst(): Promise<void> {
    const { context } = this.#delivery;
    const subscription = this.#subscription;
    const [row] = this.#arrival ? rowOf(this.#arrival, this.worker.now()) : [];
    const first = row && subscription && pushedNotification(row, subscription, context);
    // A newer version may be on the screen.
    const before = first ? await this.worker.shown(first.options.tag) : [];
    if (!first || before.some(({ key }) => key && key[1] > row.time))
      return this.#delivery.show(quietNotification(context.words.changed, context));
    this.#delivery.shownFirst = row.id;
    await this.#delivery.show(first);
  }

  /**
   * Notes the push. Resolves to whether it polls: of several at once, only the first. A page in sight polls by itself,
   * and on a full disk nothing that comes could be stored.
   */
  async #noteCome(): Promise<boolean> {
    const { now, isInSight } = this.worker;
    const mayPoll = !(await isInSight());
    let polls = false;
    const isNoted = await this.#note(({ checkedAtMs = -Infinity }) => {
      polls = mayPoll && (this.payload.kind === "poll" || !isRecent(this.worker, checkedAtMs, POLL_EVERY_MS));
      return { pushedAtMs: now(), ...(polls && { checkedAtMs: now() }) };
    });
    return isNoted && polls;
  }

  /** Polls for what pushes may have missed. */
  async #poll(event: StorableEvent | undefined): Promise<PushChange> {
    const since = event && ({ kind: "time", time: Math.max(0, event.time - REACH_S) } as const);
    const { polled: before } = this.facts.record;
    const { arrivals, polled } = await pollInBackground(this.worker, this.#requests, this.facts, before, since);
    // What couldn't be stored is asked for again.
    return (await this.#delivery.store(arrivals)) ? { polled } : {};
  }

  /** Counts pushes that showed nothing, and sums them up before the browser steps in. */
  async #sumUpHeldBack(patch: PushChange): Promise<void> {
    const { store, isInSight } = this.worker;
    if (this.#delivery.hasShown || (await isInSight())) {
      patch.heldBack = 0;
      return;
    }
    const arrival = this.#arrival;
    const stored = arrival && (await store.message(keyOf({ ...arrival.event, subId: arrival.subId })));
    // A page out of sight has alerted it.
    if (stored?.ok && stored.value?.alertedAtMs !== undefined && !stored.value.noAlert) return;
    let heldBack = 1;
    // Others may have come at the same time. What can't be counted, as on a full disk, is said at once.
    const isCounted = await this.#note((before) => ({ heldBack: (heldBack = (before.heldBack ?? 0) + 1) }));
    if (isCounted && heldBack < MAX_HELD_BACK) return;
    const { context } = this.#delivery;
    const text = filledIn(context.words.heldBack, { count: String(heldBack) });
    await this.#delivery.show(quietNotification(text, context));
    patch.heldBack = 0;
  }

  /** Registers again once a day, when the server warns, and when it pushes a topic that isn't subscribed. */
  async #renew(): Promise<void> {
    const { record } = this.facts;
    const { postedAtMs = record.postedAtMs, failedAtMs = -Infinity } = partOf(record, this.worker) ?? {};
    if (isRecent(this.worker, failedAtMs, RENEW_AGAIN_AFTER_MS)) return;
    const isStranger = this.#event !== undefined && !this.#subscription;
    const isFresh = isRecent(this.worker, postedAtMs, RENEW_AFTER_MS);
    if (isFresh && this.payload.kind !== "expiring" && !isStranger) return;
    // Of several pushes at once, only the first renews; if that fails, it is tried again in an hour.
    let isFirst = false;
    const isNoted = await this.#note((before) => {
      isFirst = !isRecent(this.worker, partOf(before, this.worker)?.failedAtMs ?? -Infinity, RENEW_AGAIN_AFTER_MS);
      const { scope, now } = this.worker;
      return { parts: before.parts.map((one) => (one.scope === scope ? { ...one, failedAtMs: now() } : one)) };
    });
    if (!isNoted || !isFirst) return;
    await this.worker.alone(async () => {
      // A page may have registered other topics since the push came.
      const facts = await readPushFacts(this.worker.store, this.worker.scope);
      if (typeof facts !== "string") await renewPush(this.worker, facts, this.#requests);
    });
  }
}

/**
 * The browser changed a registration's endpoint, or ended it, which `subscribe` repairs.
 * @param before its former endpoint; undefined = the browser doesn't say, so it is the stored one
 * @param subscribe subscribes the registration with a key
 */
export function changePush(
  worker: PushWorker,
  before: string | undefined,
  subscribe: (key: string) => Promise<void>,
): Promise<void> {
  return worker.alone(async () => {
    const facts = await readPushFacts(worker.store, worker.scope);
    if (typeof facts === "string") return;
    const requests = new Requests(worker, facts.server.address, facts.server);
    if (!(await worker.target())) await subscribe(facts.record.key);
    await renewPush(worker, facts, requests);
    const ended = before ?? partOf(facts.record, worker)?.endpoint;
    const after = await worker.target();
    if (ended !== undefined && ended !== after?.endpoint) await deletePush(requests, ended, undefined);
  });
}

/** Renews the registration that a push came to, with the topics still subscribed. */
async function renewPush(worker: PushWorker, facts: PushFacts, requests: Requests): Promise<void> {
  const { record, server, accounts, subscriptions } = facts;
  const part = partOf(record, worker);
  const target = await worker.target();
  if (!part || !target) return;
  const topics = part.topics.filter((topic) => subscriptions.some((one) => one.topic === topic));
  const account = accounts.find(({ accountId }) => accountId === part.accountId);
  if (topics.length === 0) return void (await deletePush(requests, target.endpoint, account));
  const posted = await postPush(requests, { target, topics, account });
  if (!posted.ok) {
    const { error } = posted;
    const isRefused = error.kind === "failed" && error.why.kind === "unauthorized";
    const own = subscriptions.filter(({ accountId }) => accountId === part.accountId);
    if (isRefused && account && account.refusedAtMs === undefined)
      await refuseInBackground(worker, account.accountId, own);
    return void (await notePush(worker, server.serverId, { fault: error }));
  }
  const { failedAtMs: _, ...kept } = part;
  const renewed: PushPart = { ...kept, endpoint: target.endpoint, topics, postedAtMs: worker.now() };
  await notePush(worker, server.serverId, (before) => ({
    parts: before.parts.map((one) => (one.scope === part.scope ? renewed : one)),
    refused: [...before.refused.filter((topic) => !part.topics.includes(topic)), ...posted.value],
    // There is no telling which part a fault is about; the next start posts all of them.
    ...(before.parts.length === 1 && { postedAtMs: worker.now(), fault: undefined }),
  }));
}

/** The registration that a push came to. */
function partOf({ parts }: PushRecord, { scope }: PushWorker): PushPart | undefined {
  return parts.find((part) => part.scope === scope);
}
