import { sequenceOf, type StorableEvent } from "../../protocol";
import type { SubscriptionRecord, UnsettledSecond } from "../../store";
import { isTrafficSpent } from "../requests/classify";
import { poll } from "../requests/poll";
import { restored } from "../requests/retry-policy";
import type { ServerContext } from "../server/server-context";
import { readGroup } from "./poll-start";

/** This many at once, then one every `EVERY_MS`: a server gives back one every 5 s (docs/protocol.md §11). */
const AT_ONCE = 5;
const EVERY_MS = 30_000;

/** How long until a gap in an answer is asked about again, ms: servers may store a little later than they send. */
const AGAIN_AFTER_MS = 10_000;

/** After this many complete polls without an answer, the server no longer has one. */
const MAX_TRIES = 3;

/** Asks for the unknown order of a sequence's second by polling its topic alone (decision 0016). */
export class OrderQuestions {
  /** How many complete polls gave no answer, by second. */
  #tries = new Map<string, number>();
  /** How many may be made at once, as of `#countedAtMs` (device clock, ms). */
  #left = AT_ONCE;
  #countedAtMs = 0;

  constructor(
    private readonly here: ServerContext,
    private readonly accountId: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Asks for unknown orders. Resolves to when to ask again, ms; undefined = when another turns up. */
  async ask(): Promise<number | undefined> {
    const open = await this.#open();
    for (const [subscription, seconds] of open) {
      const waitMs = this.#waitMs();
      if (waitMs > 0) return waitMs;
      if (!(await this.#poll(subscription, seconds))) return undefined;
    }
    return open.size > 0 && (await this.#open()).size > 0 ? AGAIN_AFTER_MS : undefined;
  }

  /** Seconds whose order may still be found out, by topic. */
  async #open(): Promise<Map<SubscriptionRecord, UnsettledSecond[]>> {
    const { environment, serverClock } = this.here;
    const open = new Map<SubscriptionRecord, UnsettledSecond[]>();
    const stored = await environment.store.unsettled();
    if (!stored.ok || stored.value.length === 0) return open;
    const own = await readGroup(this.here, this.accountId);
    const tries = new Map<string, number>();
    for (const second of stored.value) {
      const subscription = own.find(({ subId }) => subId === second.subId);
      if (!subscription?.joined || second.expires <= serverClock.nowS) continue;
      const tried = this.#tries.get(nameOf(second)) ?? 0;
      tries.set(nameOf(second), tried);
      if (tried < MAX_TRIES) open.set(subscription, [...(open.get(subscription) ?? []), second]);
    }
    this.#tries = tries;
    return open;
  }

  #waitMs(): number {
    // A stream can't replace this poll, because live messages may come between those of the replay.
    const noPollsForMs = this.here.facts.noPollsForMs;
    if (noPollsForMs > 0) return noPollsForMs;
    const nowMs = this.here.environment.now();
    this.#left = restored(this.#left, nowMs - this.#countedAtMs, { most: AT_ONCE, everyMs: EVERY_MS });
    this.#countedAtMs = nowMs;
    if (this.#left < 1) return Math.ceil((1 - this.#left) * EVERY_MS);
    this.#left -= 1;
    return 0;
  }

  /** Whether the poll was complete and what it brought is stored. */
  async #poll({ subId, topic }: SubscriptionRecord, seconds: readonly UnsettledSecond[]): Promise<boolean> {
    const { environment, ingest, requests, serverId } = this.here;
    const asked = new Set(seconds.map(nameOf));
    const told: StorableEvent[] = [];
    const failure = await poll(
      requests,
      {
        topics: [topic],
        since: { kind: "time", time: Math.min(...seconds.map(({ time }) => time)) },
        scheduled: false,
        credentials: this.here.plan.credentials(this.accountId),
        signal: this.signal,
      },
      {
        events(events) {
          for (const event of events) {
            if (asked.has(nameOf({ subId, sequence: sequenceOf(event), time: event.time }))) told.push(event);
          }
        },
      },
    );
    if (isTrafficSpent(failure)) this.here.facts.trafficSpentAtMs = environment.now();
    if (failure) return false;
    const stored = await ingest.addAnswer({
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
