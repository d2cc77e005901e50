import { ERROR_CODES, splitTopicsByUrlLength, type Failure } from "../../protocol";
import type { SubscriptionRecord } from "../../store";
import { reactionTo } from "../requests/classify";
import { whyNotRead, findRefused } from "../requests/find-refused";
import type { ServerContext } from "../server/server-context";
import type { StoredServer } from "../read-servers";
import { sleep, type Environment } from "../environment";
import type { GroupOwner } from "../sync/polled-group";

/** Servers admit one new topic a minute (docs/protocol.md §11), ms. */
const ASK_AGAIN_EVERY_MS = 60_000;

interface RefusalsOwner extends Pick<GroupOwner, "pollFailed"> {
  /** A search has ended. `isFound`: whether something was found and left out. */
  searchEnded(isFound: boolean, failure: Failure): void;
}

/** Leaves out what a server refuses, and tells the user (docs/protocol.md §9). */
export class Refusals {
  /** Accounts for which a refused topic is being searched. */
  readonly #looking = new Set<number>();
  /** Subscriptions to ask about again later, in this order, with the code of the refusal. */
  readonly #waiting = new Map<number, number>();
  /** When they are asked about next, device clock, ms; undefined = none wait. */
  askAtMs: number | undefined;
  /** When a refused topic was last asked about again, device clock, ms, and which one, by `subId`. */
  recheckedAtMs: number;
  #recheckedLast = 0;
  #isRechecking = false;
  /** Accounts whose credentials were refused, including those that couldn't be marked in the store. */
  readonly #refusedAccounts = new Set<number>();
  /** What the user was last told. */
  #noticed = "";

  /** @param signal ends the search */
  constructor(
    private readonly here: ServerContext,
    private readonly signal: AbortSignal,
    private readonly owner: RefusalsOwner,
  ) {
    this.recheckedAtMs = here.environment.now();
  }

  /** Whether a refused topic of any account is being searched for. */
  get isLooking(): boolean {
    return this.#looking.size > 0;
  }

  /** What still waits under a changed plan: a topic with a changed sign-in, or subscribed to again, no longer does. */
  forPlan({ accounts, subscriptions }: StoredServer): ReadonlyMap<number, number> {
    const { plan } = this.here;
    for (const { accountId, refusedAtMs } of accounts) {
      const known = plan.accounts.find((one) => one.accountId === accountId);
      if (known?.refusedAtMs !== undefined && refusedAtMs === undefined) this.#refusedAccounts.delete(accountId);
      // A push met the refusal.
      if (!known || known.refusedAtMs !== undefined || refusedAtMs === undefined) continue;
      const own = subscriptions.filter((one) => one.accountId === accountId).map(({ topic }) => topic);
      const topics = own.filter((topic) => !plan.refusedTopics.includes(topic));
      if (topics.length > 0) this.notice({ kind: "unauthorized", code: ERROR_CODES.unauthorized }, topics);
    }
    const before = new Map(plan.subscriptions.map(({ subId, accountId }) => [subId, accountId]));
    const now = new Map(subscriptions.map(({ subId, accountId }) => [subId, accountId]));
    for (const subId of [...this.#waiting.keys()])
      if (now.get(subId) === undefined || now.get(subId) !== before.get(subId)) this.#waiting.delete(subId);
    return this.#waiting;
  }

  isLookingFor(accountId: number): boolean {
    return this.#looking.has(accountId);
  }

  /** Finds and marks the topics an account is refused, so that everything else goes on. */
  async leaveOut(failure: Failure, accountId: number): Promise<void> {
    const { environment, plan, hub } = this.here;
    this.#looking.add(accountId);
    const before = plan.refusedTopics;
    // Topics with messages first: they probably exist, and existing topics need no admission.
    const stored = await environment.store.subscriptions();
    const newestS = new Map(stored.ok ? stored.value.map(({ subId, newest }) => [subId, newest?.time ?? 0]) : []);
    const own = plan.readable
      .filter((one) => one.accountId === accountId)
      .sort((a, b) => (newestS.get(b.subId) ?? 0) - (newestS.get(a.subId) ?? 0));
    const found = await this.#mark(own, accountId, failure);
    if (this.signal.aborted) return;
    this.#looking.delete(accountId);
    for (const [subId, code] of found.waiting) this.#waiting.set(subId, code);
    if (this.#waiting.size > 0 && this.askAtMs === undefined) void this.#askAgain();
    if (found.isChanged) {
      await hub.catalogueChanged();
      this.#noticeNew(failure, accountId, before);
    }
    this.owner.searchEnded(found.isChanged, found.failure ?? failure);
  }

  /** Asks about the topics that wait, at the pace at which servers admit new ones, until none is left. */
  async #askAgain(): Promise<void> {
    const { environment, hub } = this.here;
    while (this.#waiting.size > 0) {
      this.askAtMs = environment.now() + ASK_AGAIN_EVERY_MS;
      await sleep(environment, ASK_AGAIN_EVERY_MS, this.signal);
      const { plan } = this.here;
      let isChanged = false;
      for (const accountId of new Set(plan.accounts.map((one) => one.accountId)).add(0)) {
        if (this.signal.aborted) return;
        const own = [...this.#waiting.keys()].flatMap(
          (subId) => plan.subscriptions.find((one) => one.subId === subId && one.accountId === accountId) ?? [],
        );
        if (own.length === 0 || plan.isAccountRefused(accountId)) continue;
        const found = await this.#mark(own, accountId);
        for (const subId of found.settled) this.#waiting.delete(subId);
        // The first one had its turn; the next may need no admission.
        const [turn] = own.flatMap(({ subId }) => (this.#waiting.has(subId) ? [subId] : []));
        const code = turn === undefined ? undefined : found.waiting.get(turn);
        if (turn !== undefined && code !== undefined) {
          this.#waiting.delete(turn);
          this.#waiting.set(turn, code);
        }
        isChanged ||= found.isChanged;
      }
      if (this.signal.aborted) return;
      if (isChanged) await hub.catalogueChanged();
    }
    this.askAtMs = undefined;
  }

  /**
   * Asks whether the next refused topic may be read now and, if so, whether the others of its account may, and lets
   * those back in. Refused credentials are never tried again, because each try counts as a failed sign-in.
   */
  async recheck(among: readonly SubscriptionRecord[]): Promise<void> {
    const { environment, requests, plan, hub, count } = this.here;
    const refused = among.filter(({ accountId }) => !this.#refusedAccounts.has(accountId));
    const one = refused.find(({ subId }) => subId > this.#recheckedLast) ?? refused[0];
    if (this.#isRechecking || !one || count.room("asking") < 1) return;
    this.#isRechecking = true;
    this.recheckedAtMs = environment.now();
    this.#recheckedLast = one.subId;
    const { accountId } = one;
    const credentials = plan.credentials(accountId);
    const ask = (topics: readonly string[]): Promise<Failure | undefined> =>
      whyNotRead(requests, topics, credentials, this.signal);
    const failure = await ask([one.topic]);
    const back = failure ? [] : [one];
    if (failure?.kind === "unauthorized" && accountId !== 0) {
      this.#refusedAccounts.add(accountId);
      this.owner.pollFailed(failure, accountId);
    }
    const others = failure ? [] : refused.filter((other) => other !== one && other.accountId === accountId);
    const names = others.map(({ topic }) => topic);
    for (const list of splitTopicsByUrlLength(requests.address, names, credentials)) {
      if (await ask(list)) break;
      back.push(...others.filter(({ topic }) => list.includes(topic)));
    }
    this.#isRechecking = false;
    if (back.length > 0) this.#noticed = "";
    for (const { subId } of back) await environment.store.patchSubscription(subId, { refusedCode: null });
    if (back.length > 0 && !this.signal.aborted) await hub.catalogueChanged();
  }

  /** Lets everything that was left out back in, to be tried again. */
  async letBackIn(): Promise<void> {
    const { environment, plan, hub } = this.here;
    const refused = plan.subscriptions.filter((subscription) => subscription.refusedCode !== undefined);
    const refusedAccounts = plan.accounts.filter((account) => account.refusedAtMs !== undefined);
    for (const { subId } of refused) await environment.store.patchSubscription(subId, { refusedCode: null });
    for (const { accountId } of refusedAccounts) await environment.store.patchAccount(accountId, { refusedAtMs: null });
    const isAny = refused.length + refusedAccounts.length + this.#waiting.size > 0;
    this.#waiting.clear();
    this.#refusedAccounts.clear();
    if (isAny) await hub.catalogueChanged();
  }

  /** Tells the user of a stop, once: again only after receiving has worked, or if the stop is about something else. */
  notice(why: Failure, topics: string[]): void {
    const noticed = [why.kind, ...topics].join(" ");
    if (noticed === this.#noticed) return;
    this.#noticed = noticed;
    this.here.hub.alerts.tell({ kind: "notice", serverId: this.here.serverId, why, topics });
  }

  /** Records that everything is received again, so that the user is told of the next stop, even if it is the same. */
  receivedAll(): void {
    this.#noticed = "";
  }

  /**
   * Finds out which of an account's topics a server refuses, and marks them in the store, so they are left out until
   * tried again (docs/protocol.md §9).
   * @param own the topics that may be refused
   * @param failure absent = topics that wait are asked about again
   */
  async #mark(own: readonly SubscriptionRecord[], accountId: number, failure?: Failure): Promise<Marked> {
    const { environment, requests, plan } = this.here;
    const { store } = environment;
    const refused = async (): Promise<Marked> => ({
      isChanged: await refuseAccount(environment, accountId, own),
      settled: [],
      waiting: new Map(),
    });
    // Wrong credentials are wrong for every topic, and failed sign-ins are rationed, so they are not used again.
    if (failure?.kind === "unauthorized" && accountId !== 0) return refused();
    const credentials = plan.credentials(accountId);
    const topics = own.map((subscription) => subscription.topic);
    const parts = failure ? [topics] : growing(topics);
    const lists = parts.flatMap((part) => splitTopicsByUrlLength(requests.address, part, credentials));
    const reaction = failure && reactionTo(failure);
    const code = reaction?.kind === "leave-out" ? reaction.code : undefined;
    const found = await findRefused(requests, lists, { credentials, signal: this.signal, code });
    if (found.failure?.kind === "unauthorized" && accountId !== 0) return refused();
    const marked: number[] = [];
    // A topic that was signed in meanwhile was asked about as somebody else.
    const { subscriptions } = this.here.plan;
    const asked = own.filter(({ subId }) =>
      subscriptions.some((one) => one.subId === subId && one.accountId === accountId),
    );
    for (const { subId, topic } of asked) {
      const refusedCode = found.refused.get(topic);
      if (refusedCode === undefined) continue;
      const patched = await store.patchSubscription(subId, { refusedCode });
      // If it can't be marked because the disk is full, the next try will be refused too, and must not come at once.
      if (patched.ok) marked.push(subId);
    }
    const named = new Map(asked.map(({ topic, subId }) => [topic, subId]));
    const subIdOf = (topic: string): number[] => [named.get(topic) ?? []].flat();
    const waiting = new Map(
      [...found.waiting].flatMap(([topic, code]) => subIdOf(topic).map((subId) => [subId, code])),
    );
    const settled = [...marked, ...found.allowed.flatMap(subIdOf)];
    // They are left out of the group's polls from now on, so the group's cursor says nothing about them.
    if (marked.length + waiting.size > 0) await store.unjoin([...marked, ...waiting.keys()]);
    const isChanged = failure ? marked.length + waiting.size > 0 : settled.length > 0;
    return { isChanged, settled, waiting, failure: found.failure };
  }

  /** Tells the user about newly refused topics. @param before those refused before */
  #noticeNew(failure: Failure, accountId: number, before: readonly string[]): void {
    const { plan } = this.here;
    const topics = plan.refusedTopics.filter((topic) => !before.includes(topic));
    if (topics.length === 0) return;
    const isSignedIn = plan.credentials(accountId) !== undefined;
    // Topics that weren't admitted may also be refused, and one that doesn't exist says nothing about the server.
    const isOfPart = failure.kind === "busy" || failure.kind === "no-topic-server";
    const cause = isOfPart ? (plan.refusal ?? failure) : failure;
    this.notice(cause.kind === "forbidden" ? { ...cause, topics, ...(isSignedIn && { isSignedIn }) } : cause, topics);
  }
}

/**
 * Records that a server refused an account, so that it isn't tried again unasked. Resolves to whether it is recorded.
 * @param own its topics, which are away from now on
 */
export async function refuseAccount(
  { store, now }: Pick<Environment, "store" | "now">,
  accountId: number,
  own: readonly SubscriptionRecord[],
): Promise<boolean> {
  const patched = await store.patchAccount(accountId, { refusedAtMs: now() });
  // Other accounts may have continued meanwhile, so only each topic's own state tells how long it was away.
  const isThere = patched.ok && patched.value !== undefined;
  if (isThere) await store.unjoin(own.map(({ subId }) => subId));
  return isThere;
}

/** What happened to the topics. */
interface Marked {
  /** Whether something is newly left out, or no longer. */
  isChanged: boolean;
  /** Subscriptions that needn't wait any more. */
  settled: number[];
  /** Subscriptions that wait, with the code of the refusal. */
  waiting: Map<number, number>;
  failure?: Failure | undefined;
}

/** Lists of one topic, two, four and so on, to find all that the server admits with few questions. */
function growing(topics: readonly string[]): string[][] {
  const lists: string[][] = [];
  for (let from = 0; from < topics.length; from = 2 * from + 1) lists.push(topics.slice(from, 2 * from + 1));
  return lists;
}
