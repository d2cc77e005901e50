// What happens when a push comes, in the worker of its registration (docs/design.md §11).
import { CONTRACT_VERSION, type PushFault, type StoredMessage } from "../../contract";
import { decodePush, type PushPayload, type StorableEvent } from "../../protocol";
import type { Arrival, IngestResult, PushRecord } from "../../store";
import { changesEvent } from "../changes-event";
import type { HubMessage } from "../hub-message";
import { Requests } from "../requests";
import { sleep } from "../sleep";
import {
  filledIn,
  manyNotification,
  manyTag,
  type NotifyContext,
  pushedNotification,
  pushedTag,
  quietNotification,
  unstoredNotification,
} from "./push-notifications";
import type { PushPlace } from "./push-place";
import { pollAfterPush } from "./push-poll";
import { type PushFacts, readPushFacts } from "./read-push-facts";
import { deletePush, postPush } from "./register-push";
import { updateBadge } from "./update-badge";

/** Pushes in a row make one poll within this time, ms: a server rations requests (docs/protocol.md §11). */
const POLL_EVERY_MS = 30_000;

/** A registration is renewed by the first push after this, ms: its server warns after 55 days, and forgets after 60. */
const RENEW_AFTER_MS = 86_400_000;

/** An alert is this worker's for as long, ms, while it shows it; then others may. */
const HOLD_MS = 15_000;

/** An alert that a page was handed is waited for so long, ms, as the page may be frozen; then the page keeps it. */
const WAIT_FOR_PAGE_MS = 10_000;

/** More messages than this at once become one notification. */
const MOST_SINGLE = 4;

/**
 * After this many pushes in a row that showed nothing, one notification sums them up: Firefox ends a subscription after 16
 * such pushes without a visit, and Chromium would say in words of its own that something happened.
 */
const MOST_HELD_BACK = 10;

/** The changes that a push makes to a registration; an undefined fault removes the stored one. */
type PushChange = Omit<Partial<PushRecord>, "fault"> & { fault?: PushFault | undefined };

/** Notes a change, unless the pushes were ended meanwhile. */
async function notePush({ store }: PushPlace, serverId: number, change: PushChange): Promise<void> {
  await store.editPush(serverId, (before) => {
    if (!before) return undefined;
    const after = { ...before, ...change };
    if (after.fault === undefined) delete after.fault;
    return after as PushRecord;
  });
}

/** Takes in a push. Never rejects for what can be expected of servers, browsers and storage. */
export async function receivePush(place: PushPlace, text: string): Promise<void> {
  const payload = decodePush(text);
  const facts = await readPushFacts(place.store, place.scope);
  if (facts === "nobody") return place.end();
  if (facts === "unreadable") return showUnstored(place, payload);
  await new PushReceipt(place, facts, payload).run();
}

/** Shows a push that can't be stored, as there is no database that this version reads. */
export async function showUnstored(place: Pick<PushPlace, "show" | "now">, payload: PushPayload): Promise<void> {
  if (payload.kind === "message") await place.show(unstoredNotification(payload.event, place.now()));
}

/** Handles one push, from its arrival to the last of its effects. */
class PushReceipt {
  readonly #place: PushPlace;
  readonly #facts: PushFacts;
  readonly #payload: PushPayload;
  readonly #context: NotifyContext;
  readonly #requests: Requests;
  #hasShown = false;
  /** The row that was shown before it was stored, where the browser demands it. */
  #shownFirst: string | undefined;

  constructor(place: PushPlace, facts: PushFacts, payload: PushPayload) {
    const { record, server } = facts;
    this.#place = place;
    this.#facts = facts;
    this.#payload = payload;
    this.#context = {
      address: server.address,
      words: record.words,
      emoji: place.emoji,
      maxActions: place.maxActions,
      nowMs: place.now(),
    };
    this.#requests = new Requests(place, server.address, server);
  }

  async run(): Promise<void> {
    const { record, server } = this.#facts;
    const { now, tell } = this.#place;
    const event = this.#event;
    if (record.mustShow) await this.#showFirst();
    if (event) await this.#store(this.#arrivalsOf(event), event);
    await this.#showClaimed();
    await this.#note({ pushedAtMs: now() });
    await tell({ kind: "push-news", serverId: server.serverId, ...(event && { id: event.id }) });
    const patch = await this.#poll(event);
    await this.#showClaimed(true);
    await this.#sumUpHeldBack(patch);
    await updateBadge(this.#place);
    await this.#note(patch);
    await this.#renew();
  }

  #note(change: PushChange): Promise<void> {
    return notePush(this.#place, this.#facts.server.serverId, change);
  }

  get #event(): StorableEvent | undefined {
    return "event" in this.#payload ? this.#payload.event : undefined;
  }

  /**
   * Finds the subscription of an event. A topic that isn't subscribed to on this server is ignored, whatever the push
   * says.
   */
  #arrivalsOf(event: StorableEvent): Arrival[] {
    const subId = this.#subscription(event.topic)?.subId;
    return subId === undefined ? [] : [{ subId, event, via: "push" }];
  }

  #subscription(topic: string) {
    const { server, subscriptions } = this.#facts;
    return subscriptions.find((one) => one.serverId === server.serverId && one.topic === topic);
  }

  /** Shows something before anything else is tried: a worker that is ended early has shown it, at least. */
  async #showFirst(): Promise<void> {
    const [arrival] = this.#event ? this.#arrivalsOf(this.#event) : [];
    const subscription = arrival && this.#subscription(arrival.event.topic);
    if (arrival?.event.event !== "message" || !subscription) {
      return this.#show(quietNotification(this.#context.words.changed, this.#context));
    }
    const { subId, event, via } = arrival;
    const row: StoredMessage = { subId, time: event.time, id: event.id, event, via, arrival: 0, receivedAtMs: 0 };
    this.#shownFirst = event.id;
    await this.#show(pushedNotification(row, subscription, this.#context));
  }

  /** Stores what came, tells the pages, and takes away what was deleted or cleared. */
  async #store(arrivals: Arrival[], pushed?: StorableEvent): Promise<void> {
    const { store, now, close } = this.#place;
    if (arrivals.length === 0) return;
    const stored = await store.ingest({ arrivals, nowMs: now(), serverNowS: Infinity, alerts: true });
    if (stored.ok) this.#announce(stored.value);
    else if (pushed?.event === "message" && this.#facts.settings.alerts && !this.#shownFirst) {
      // When it can't be stored, as on a full disk, the message is shown all the same and comes again with the next
      // poll.
      await this.#show(unstoredNotification(pushed, now()));
    }
    const gone = endedTags(
      arrivals.map(({ event }) => event),
      (event) => pushedTag(this.#context.address, event),
    );
    if (gone.length > 0) await close(gone);
  }

  #announce(result: IngestResult): void {
    const event = changesEvent(result, result.added);
    if (!event) return;
    this.#place.channel.post({ version: CONTRACT_VERSION, kind: "event", event } satisfies HubMessage);
  }

  /**
   * Shows the alerts that nobody shows yet. Whoever takes a claim shows it, so nothing rings twice, whichever of tab,
   * push and poll was first.
   * @param waits for those that a page was handed, which may be frozen
   */
  async #showClaimed(waits = false): Promise<void> {
    const { store, now } = this.#place;
    if (!this.#facts.settings.alerts) return;
    const giveUpAtMs = now() + WAIT_FOR_PAGE_MS;
    for (;;) {
      const claims = await store.takeClaims(now(), now() + HOLD_MS);
      if (!claims.ok) return;
      const { taken, nextMs } = claims.value;
      if (taken) {
        const unread = await store.unread(taken.keys);
        if (unread.ok) await this.#showRows(unread.value);
        await store.settleClaim(taken.claimId);
      }
      if (!waits || nextMs === undefined || nextMs > giveUpAtMs) return;
      await sleep(this.#place, Math.max(0, nextMs - now()) + 1);
    }
  }

  async #showRows(all: readonly StoredMessage[]): Promise<void> {
    const rows = all.filter(({ id }) => id !== this.#shownFirst);
    if (rows.length > MOST_SINGLE) {
      const [before] = await this.#place.shown(manyTag(this.#context.address));
      return this.#show(manyNotification(rows, before?.summary ?? {}, this.#context));
    }
    for (const row of rows) {
      const subscription = this.#facts.subscriptions.find(({ subId }) => subId === row.subId);
      // Claims are of all servers: the last page may have ended before it showed one of another.
      const context = { ...this.#context, address: await this.#addressOf(subscription?.serverId) };
      if (subscription) await this.#show(pushedNotification(row, subscription, context));
    }
  }

  async #addressOf(serverId: number | undefined) {
    const { server } = this.#facts;
    if (serverId === undefined || serverId === server.serverId) return server.address;
    const servers = await this.#place.store.servers();
    return (servers.ok && servers.value.find((one) => one.serverId === serverId)?.address) || server.address;
  }

  async #show(shown: Parameters<PushPlace["show"]>[0]): Promise<void> {
    await this.#place.show(shown);
    this.#hasShown = true;
  }

  /** Polls for what pushes may have missed. A page in sight does so by itself. */
  async #poll(event: StorableEvent | undefined): Promise<PushChange> {
    const { now, isInSight } = this.#place;
    const { checkedAtMs = -Infinity } = this.#facts.record;
    const agoMs = now() - checkedAtMs;
    if (agoMs >= 0 && agoMs < POLL_EVERY_MS && this.#payload.kind !== "poll") return {};
    if (await isInSight()) return {};
    // It is noted beforehand, so that of several pushes at once only one polls.
    await this.#note({ checkedAtMs: now() });
    const { arrivals, polled } = await pollAfterPush(this.#place, this.#requests, this.#facts, event?.time);
    await this.#store(arrivals);
    return { checkedAtMs: now(), polled };
  }

  /** Counts the pushes that showed nothing, and sums them up before the browser acts on it. */
  async #sumUpHeldBack(patch: PushChange): Promise<void> {
    const { isInSight } = this.#place;
    if (this.#hasShown || (await isInSight())) {
      patch.heldBack = 0;
      return;
    }
    const heldBack = (this.#facts.record.heldBack ?? 0) + 1;
    patch.heldBack = heldBack;
    if (heldBack < MOST_HELD_BACK) return;
    const said = filledIn(this.#context.words.heldBack, { count: String(heldBack) });
    await this.#show(quietNotification(said, this.#context));
    patch.heldBack = 0;
  }

  /** Registers anew once a day, when the server warns, and when it pushes a topic that isn't subscribed. */
  async #renew(): Promise<void> {
    const agoMs = this.#place.now() - this.#facts.record.postedAtMs;
    const event = this.#event;
    const isStranger = event !== undefined && this.#arrivalsOf(event).length === 0;
    const isDue = agoMs < 0 || agoMs > RENEW_AFTER_MS || this.#payload.kind === "expiring" || isStranger;
    if (isDue) await renewPush(this.#place, this.#facts, this.#requests);
  }
}

/** Tags of the sequences that end with a delete or clear, and not with a newer version. */
function endedTags(events: readonly StorableEvent[], tagOf: (event: StorableEvent) => string): string[] {
  const last = new Map<string, StorableEvent>();
  for (const event of events) {
    const before = last.get(tagOf(event));
    // Within one second a version wins, as it may be news.
    const isLater = !before || event.time > before.time || (event.time === before.time && event.event === "message");
    if (isLater) last.set(tagOf(event), event);
  }
  return [...last].flatMap(([tag, event]) => (event.event === "message" ? [] : [tag]));
}

/**
 * The browser gave a registration another endpoint, or ended it, which `subscribe` makes up for.
 * @param before endpoint that it had; undefined = the browser doesn't say
 * @param subscribe subscribes the registration with a key
 */
export async function changePush(
  place: PushPlace,
  before: string | undefined,
  subscribe: (key: string) => Promise<void>,
): Promise<void> {
  const facts = await readPushFacts(place.store, place.scope);
  if (typeof facts === "string") return;
  const requests = new Requests(place, facts.server.address, facts.server);
  if (!(await place.target())) await subscribe(facts.record.key);
  await renewPush(place, facts, requests);
  const after = await place.target();
  if (before !== undefined && before !== after?.endpoint) await deletePush(requests, before, undefined);
}

/** Registers the registration that a push came to once more, with the topics that are subscribed still. */
async function renewPush(place: PushPlace, facts: PushFacts, requests: Requests): Promise<void> {
  const { record, server, accounts, subscriptions } = facts;
  const part = record.parts.find(({ scope }) => scope === place.scope);
  const target = await place.target();
  if (!part || !target) return;
  const subscribed = new Set(
    subscriptions.filter(({ serverId }) => serverId === server.serverId).map(({ topic }) => topic),
  );
  const topics = part.topics.filter((topic) => subscribed.has(topic));
  const credentials = accounts.find(({ accountId }) => accountId === part.accountId)?.credentials;
  if (topics.length === 0) return void (await deletePush(requests, target.endpoint, credentials));
  const posted = await postPush(requests, { target, topics, credentials });
  const parts = record.parts.map((one) => (one === part ? { ...one, endpoint: target.endpoint, topics } : one));
  await notePush(
    place,
    server.serverId,
    posted.ok
      ? { parts, refused: posted.value.refused, postedAtMs: place.now(), fault: undefined }
      : { fault: posted.error },
  );
}
