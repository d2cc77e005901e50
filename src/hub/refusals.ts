import type { Failure } from "../protocol";
import { letBackIn, markRefused, newlyRefused } from "./mark-refused";
import type { ServerContext } from "./server-context";
import type { ConnectionPlan } from "./server-plan";
import { sleep } from "./sleep";

/** Servers admit one new topic a minute (docs/protocol.md §11), ms. */
const ASK_AGAIN_EVERY_MS = 60_000;

/** The connection, which continues without the refused topics. */
export interface RefusalsOwner {
  /** The search has ended. `isFound`: something was found and left out. */
  searchEnded(isFound: boolean, failure: Failure): void;
}

/** Leaves out what a server refuses, and tells the user of it (docs/protocol.md §19, trap 23). */
export class Refusals {
  readonly #here: ServerContext;
  readonly #signal: AbortSignal;
  readonly #owner: RefusalsOwner;
  /** Accounts for which the refused topic is being looked for. */
  readonly #looking = new Set<number>();
  /** Subscriptions that are asked about again later, in this order, with the code of the server's refusal. */
  readonly #waiting = new Map<number, number>();
  /** When they are asked about next, device clock, ms; undefined = none wait. */
  #askAtMs: number | undefined;
  /** What the user was last told about. */
  #noticed = "";

  /** @param signal ends the search */
  constructor(here: ServerContext, signal: AbortSignal, owner: RefusalsOwner) {
    this.#here = here;
    this.#signal = signal;
    this.#owner = owner;
  }

  /** Whether a refused topic is being looked for, of any account. */
  get isLooking(): boolean {
    return this.#looking.size > 0;
  }

  /** What waits under a changed plan: who signs in to a topic, or subscribes to it again, waits for nothing. */
  forPlan({ subscriptions }: ConnectionPlan): ReadonlyMap<number, number> {
    const before = new Map(this.#here.plan.subscriptions.map(({ subId, accountId }) => [subId, accountId]));
    const now = new Map(subscriptions.map(({ subId, accountId }) => [subId, accountId]));
    for (const subId of [...this.#waiting.keys()])
      if (now.get(subId) === undefined || now.get(subId) !== before.get(subId)) this.#waiting.delete(subId);
    return this.#waiting;
  }

  /** When topics that wait are asked about next, device clock, ms; undefined = none wait. */
  get askAtMs(): number | undefined {
    return this.#askAtMs;
  }

  isLookingFor(accountId: number): boolean {
    return this.#looking.has(accountId);
  }

  /** Finds out what of an account is refused and marks it, so that everything else goes on. */
  async leaveOut(failure: Failure, accountId: number): Promise<void> {
    const { environment, requests, plan, hub } = this.#here;
    this.#looking.add(accountId);
    const before = plan.refusedTopics;
    const refusal = { failure, accountId, signal: this.#signal };
    const own = plan.readable.filter((one) => one.accountId === accountId);
    const found = await markRefused(environment, requests, plan, own, refusal);
    if (this.#signal.aborted) return;
    this.#looking.delete(accountId);
    for (const [subId, code] of found.waiting) this.#waiting.set(subId, code);
    if (this.#waiting.size > 0 && this.#askAtMs === undefined) void this.#askAgain();
    if (found.isChanged) {
      await hub.catalogueChanged();
      const { why, topics } = newlyRefused(this.#here.plan, before, refusal);
      if (topics.length > 0) this.notice(why, topics);
    }
    this.#owner.searchEnded(found.isChanged, failure);
  }

  /** Asks about the topics that wait, at the pace at which servers admit new ones, until none waits. */
  async #askAgain(): Promise<void> {
    const { environment, requests, hub } = this.#here;
    while (this.#waiting.size > 0) {
      this.#askAtMs = environment.now() + ASK_AGAIN_EVERY_MS;
      await sleep(environment, ASK_AGAIN_EVERY_MS, this.#signal);
      const { plan } = this.#here;
      let isChanged = false;
      for (const accountId of new Set(plan.accounts.map((one) => one.accountId)).add(0)) {
        if (this.#signal.aborted) return;
        const own = [...this.#waiting.keys()].flatMap(
          (subId) => plan.subscriptions.find((one) => one.subId === subId && one.accountId === accountId) ?? [],
        );
        if (own.length === 0 || plan.isAccountRefused(accountId)) continue;
        const found = await markRefused(environment, requests, plan, own, { accountId, signal: this.#signal });
        for (const subId of found.settled) this.#waiting.delete(subId);
        // The first one had its turn, and the next one may need no admission.
        const [turn] = own.flatMap(({ subId }) => (this.#waiting.has(subId) ? [subId] : []));
        const code = turn === undefined ? undefined : found.waiting.get(turn);
        if (turn !== undefined && code !== undefined) {
          this.#waiting.delete(turn);
          this.#waiting.set(turn, code);
        }
        isChanged ||= found.isChanged;
      }
      if (this.#signal.aborted) return;
      if (isChanged) await hub.catalogueChanged();
    }
    this.#askAtMs = undefined;
  }

  /** Lets everything back in that was left out, to be tried again. */
  async letBackIn(): Promise<void> {
    const { environment, plan, hub } = this.#here;
    const isAny = await letBackIn(environment, plan);
    const hasWaited = this.#waiting.size > 0;
    this.#waiting.clear();
    if (isAny || hasWaited) await hub.catalogueChanged();
  }

  /** Tells the user of a stop: once until receiving works again, or until the stop is about something else. */
  notice(why: Failure, topics: string[]): void {
    const noticed = [why.kind, ...topics].join(" ");
    if (noticed === this.#noticed) return;
    this.#noticed = noticed;
    this.#here.hub.notice({ serverId: this.#here.serverId, why, topics });
  }

  /** Notes that everything is received again, so that the user is told of the next stop, even if it is the same. */
  receivedAll(): void {
    this.#noticed = "";
  }
}
