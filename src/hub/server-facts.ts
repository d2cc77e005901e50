import { isCached, type Result, type StorableEvent, type Transport } from "../protocol";
import type { KeptFor, ServerPatch, ServerRecord, StoreError, SubscriptionRecord } from "../store";
import { learnKeptFor } from "./kept-for";
import type { Environment } from "./environment";
import { DEFAULT_KEEPALIVE_MS } from "./watchdog";

/** Both clocks are read in whole seconds, and a line takes its time. */
const MIN_CLOCK_CHANGE_S = 3;

/** A clock that was set on longer ago than this, ms, no upload can have seen: no new hub need know of it. */
const SET_ON_MATTERS_MS = 3_600_000;

/** What was learnt of a server. Kept in the store, so that the next start knows it. */
export class ServerFacts {
  /** Interval between keepalives, ms. */
  keepaliveMs: number;
  /** It was observed, and is not what most servers do. */
  isKeepaliveLearnt: boolean;
  /** How long the server keeps messages at least, seconds; 0 = not at all; undefined = no message told yet. */
  retentionS: number | undefined;
  /** By subscription. */
  readonly #keptFor = new Map<number, KeptFor>();
  /** Device clock, ms, of the last complete catch-up. */
  lastCompleteAtMs: number | undefined;
  /** The same for each account, as far as this hub has seen; before that what an earlier one kept. */
  readonly #completeAtMs = new Map<number, number>();
  readonly #completeBeforeMs: number | undefined;
  /** How far the server's clock was ahead of the device's when it was last heard, seconds; undefined = it never was. */
  clockAheadS: number | undefined;
  /** Device clock, ms, when it was last heard that one of the clocks was set on. */
  clockSetOnAtMs: number | undefined;
  /** What worked last. */
  transport: Transport | undefined;
  readonly #environment: Environment;
  readonly #serverId: number;

  constructor(environment: Environment, server: ServerRecord) {
    this.#environment = environment;
    this.#serverId = server.serverId;
    this.keepaliveMs = server.keepaliveMs ?? DEFAULT_KEEPALIVE_MS;
    this.isKeepaliveLearnt = server.keepaliveMs !== undefined;
    this.retentionS = server.retentionS;
    this.lastCompleteAtMs = server.lastCompleteAtMs;
    this.#completeBeforeMs = server.lastCompleteAtMs;
    this.transport = server.learntTransport;
    this.clockAheadS = server.clockAheadS;
    const sinceMs = environment.now() - (server.clockSetOnAtMs ?? -Infinity);
    if (sinceMs >= 0 && sinceMs < SET_ON_MATTERS_MS) this.clockSetOnAtMs = server.clockSetOnAtMs;
  }

  learnKeepalive(keepaliveMs: number): void {
    this.isKeepaliveLearnt = true;
    if (keepaliveMs === this.keepaliveMs) return;
    this.keepaliveMs = keepaliveMs;
    this.#keep({ keepaliveMs });
  }

  /**
   * A stream was silent for longer than the interval allows: it may have been learnt while the server's clock was set,
   * and too short a one would end every stream before its second keepalive could correct it.
   */
  doubtKeepalive(): void {
    if (this.keepaliveMs < DEFAULT_KEEPALIVE_MS) this.learnKeepalive(DEFAULT_KEEPALIVE_MS);
    this.isKeepaliveLearnt = false;
  }

  /** Takes over what is known of topics that are new here. */
  sync(subscriptions: readonly SubscriptionRecord[]): void {
    const subIds = new Set(subscriptions.map(({ subId }) => subId));
    for (const subId of this.#keptFor.keys()) if (!subIds.has(subId)) this.#keptFor.delete(subId);
    for (const { subId, keptFor } of subscriptions) {
      if (keptFor && !this.#keptFor.has(subId)) this.#keptFor.set(subId, keptFor);
    }
  }

  /** How long it keeps the messages of one topic at least, seconds, as far as these or those of other topics have told. */
  retentionOf(subId: number): number | undefined {
    return this.retentionS === 0 ? 0 : (this.#keptFor.get(subId)?.leastS ?? this.retentionS);
  }

  /** The longest of the topics' times, seconds. */
  get longestS(): number | undefined {
    if (this.retentionS === 0 || this.#keptFor.size === 0) return this.retentionS;
    return Math.max(...Array.from(this.#keptFor.values(), ({ leastS }) => leastS));
  }

  /**
   * From messages that tell (docs/design.md §4, "Proof"): by topic, and of the newest whether there is a cache at all, which
   * is a matter of the server. Whether it was news for the server.
   * @param subIdOf the subscription of a topic
   * @param nowS what the server's clock shows
   */
  learnRetention(
    events: readonly StorableEvent[],
    subIdOf: (topic: string) => number | undefined,
    nowS: number,
  ): boolean {
    const news = new Map<number, KeptFor>();
    let isCacheless: boolean | undefined;
    for (const event of events) {
      const { topic, time, expires } = event;
      if (expires === undefined) continue;
      isCacheless = !isCached(event);
      const subId = isCacheless ? undefined : subIdOf(topic);
      if (subId === undefined) continue;
      const known = this.#keptFor.get(subId);
      const learnt = learnKeptFor(known, expires - time, Math.min(time, nowS));
      if (learnt === known) continue;
      this.#keptFor.set(subId, learnt);
      news.set(subId, learnt);
    }
    if (news.size > 0) reportFailure(this.#environment, this.#environment.store.noteKeptFor(news));
    if (isCacheless === undefined || (news.size === 0 && isCacheless === (this.retentionS === 0))) return false;
    const retentionS = isCacheless ? 0 : Math.min(...Array.from(this.#keptFor.values(), ({ leastS }) => leastS));
    if (retentionS === this.retentionS || retentionS === Infinity) return false;
    this.retentionS = retentionS;
    this.#keep({ retentionS });
    return true;
  }

  /** @param aheadS as just heard; a little more or less is rounding, and not worth a write */
  learnClock(aheadS: number): void {
    if (this.clockAheadS !== undefined && Math.abs(aheadS - this.clockAheadS) < MIN_CLOCK_CHANGE_S) return;
    this.clockAheadS = aheadS;
    this.#keep({ clockAheadS: aheadS });
  }

  learnSetOn(atMs: number): void {
    this.clockSetOnAtMs = atMs;
    this.#keep({ clockSetOnAtMs: atMs });
  }

  learnTransport(transport: Transport): void {
    if (transport === this.transport) return;
    this.transport = transport;
    this.#keep({ learntTransport: transport });
  }

  /** A server is complete as of the account that is furthest behind. @param accountIds all that are received now */
  completedAt(nowMs: number, accountId: number, accountIds: readonly number[]): void {
    this.#completeAtMs.set(accountId, nowMs);
    const times = accountIds.map((one) => this.#completeAtMs.get(one) ?? this.#completeBeforeMs);
    if (times.includes(undefined)) return;
    const lastCompleteAtMs = Math.min(...times.filter((time) => time !== undefined));
    if (lastCompleteAtMs === this.lastCompleteAtMs) return;
    this.lastCompleteAtMs = lastCompleteAtMs;
    this.#keep({ lastCompleteAtMs });
  }

  /** Nothing was asked of this server today: a wide poll then finds what the narrow ones can't. */
  isFirstToday(nowMs: number): boolean {
    if (this.lastCompleteAtMs === undefined) return true;
    return new Date(this.lastCompleteAtMs).toDateString() !== new Date(nowMs).toDateString();
  }

  #keep(patch: ServerPatch): void {
    keepFacts(this.#environment, this.#serverId, patch);
  }
}

/** Keeps what was learnt of a server with it. */
export function keepFacts(environment: Environment, serverId: number, patch: ServerPatch): void {
  reportFailure(environment, environment.store.patchServer(serverId, patch));
}

function reportFailure(environment: Environment, keeping: Promise<Result<unknown, StoreError>>): void {
  void keeping.then((kept) => {
    if (!kept.ok) environment.report(kept.error);
  });
}
