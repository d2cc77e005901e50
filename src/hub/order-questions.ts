import { sequenceOf, type Credentials, type StorableEvent } from "../protocol";
import type { SubscriptionRecord, UnsettledSecond } from "../store";
import type { IngestQueue } from "./ingest-queue";
import { poll } from "./poll";
import type { Requests } from "./requests";
import type { ServerClock } from "./server-clock";
import type { Environment } from "./environment";

/**
 * So many polls go out at once, and then one every so often, ms: a server gives back one request in 5 s
 * (docs/protocol.md §11).
 */
const AT_ONCE = 5;
const EVERY_MS = 30_000;

/** Servers may store what they have sent a little later: what was not told is asked for again after this, ms. */
const AGAIN_AFTER_MS = 10_000;

/** Complete polls that did not tell: what they lack, the server does not have. */
const MOST_TRIES = 3;

/** What a group tells of itself. */
export interface OrderContext {
  environment: Environment;
  ingest: IngestQueue;
  requests: Requests;
  serverClock: ServerClock;
  serverId: number;
  credentials(): Credentials | undefined;
  /** Joined and readable. */
  subscriptions(): Promise<SubscriptionRecord[]>;
  signal: AbortSignal;
}

/**
 * Asks the server for the order of events of one sequence in one second, where it makes a difference and nobody has
 * told it: by a poll of that topic alone, as only that has it (decision 0016).
 */
export class OrderQuestions {
  readonly #here: OrderContext;
  /** Complete polls that did not tell, by second. */
  #tries = new Map<string, number>();
  /** Device clock, ms, until which the polls made so far have used up their share; and of the last one of them. */
  #usedUntilMs = 0;
  #askedAtMs = 0;

  constructor(here: OrderContext) {
    this.#here = here;
  }

  /**
   * Asks for what is not known. When to ask again, ms from now; undefined = not before something more is known to be
   * amiss.
   */
  async ask(): Promise<number | undefined> {
    for (const [subscription, seconds] of await this.#open()) {
      const waitMs = this.#waitMs();
      if (waitMs > 0) return waitMs;
      if (!(await this.#poll(subscription, seconds))) return undefined;
    }
    return (await this.#open()).size > 0 ? AGAIN_AFTER_MS : undefined;
  }

  /** What may still be told, by topic. */
  async #open(): Promise<Map<SubscriptionRecord, UnsettledSecond[]>> {
    const { environment, subscriptions, serverClock } = this.#here;
    const [stored, own] = await Promise.all([environment.store.unsettled(), subscriptions()]);
    const open = new Map<SubscriptionRecord, UnsettledSecond[]>();
    const tries = new Map<string, number>();
    for (const second of stored.ok ? stored.value : []) {
      const subscription = own.find(({ subId }) => subId === second.subId);
      if (!subscription || second.expires <= serverClock.nowS) continue;
      const tried = this.#tries.get(nameOf(second)) ?? 0;
      tries.set(nameOf(second), tried);
      if (tried < MOST_TRIES) open.set(subscription, [...(open.get(subscription) ?? []), second]);
    }
    this.#tries = tries;
    return open;
  }

  #waitMs(): number {
    const nowMs = this.#here.environment.now();
    // By a clock that was set back, the share would seem used up until it gets there again.
    if (nowMs < this.#askedAtMs) this.#usedUntilMs = nowMs;
    const waitMs = this.#usedUntilMs - nowMs - (AT_ONCE - 1) * EVERY_MS;
    if (waitMs > 0) return waitMs;
    this.#askedAtMs = nowMs;
    this.#usedUntilMs = Math.max(this.#usedUntilMs, nowMs) + EVERY_MS;
    return 0;
  }

  /** Whether the poll was complete, and what it told is stored. */
  async #poll({ subId, topic }: SubscriptionRecord, seconds: readonly UnsettledSecond[]): Promise<boolean> {
    const { environment, ingest, requests, serverId, credentials, signal } = this.#here;
    const asked = new Set(seconds.map(nameOf));
    const told: StorableEvent[] = [];
    const failure = await poll(
      environment,
      requests,
      {
        topics: [topic],
        since: { kind: "time", time: Math.min(...seconds.map(({ time }) => time)) },
        scheduled: false,
        credentials: credentials(),
        signal,
      },
      {
        malformed: () => undefined,
        events(events) {
          for (const event of events) {
            if (asked.has(nameOf({ subId, sequence: sequenceOf(event), time: event.time }))) told.push(event);
          }
        },
      },
    );
    if (failure) return false;
    const stored = await ingest.addTold({
      serverId,
      arrivals: told.map((event) => ({ subId, event, via: "poll" })),
      serverNowS: Infinity,
      alerts: true,
    });
    for (const name of asked) this.#tries.set(name, (this.#tries.get(name) ?? 0) + 1);
    return stored.ok;
  }
}

function nameOf({ subId, sequence, time }: Pick<UnsettledSecond, "subId" | "sequence" | "time">): string {
  return `${subId}/${sequence}/${time}`;
}
