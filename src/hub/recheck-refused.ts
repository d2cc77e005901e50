import { splitTopicsByUrlLength, type Failure, type ServerAddress } from "../protocol";
import type { SubscriptionRecord } from "../store";
import { reactionTo } from "./classify";
import { whyNotRead } from "./find-refused";
import type { Requests } from "./requests";
import type { ServerPlan } from "./server-plan";
import type { Environment } from "./environment";

/** Which topics a round asks for. */
export interface RecheckRound {
  /** How many are asked for one by one. */
  most: number;
  /** The topic that was asked for last, by its `subId`: the round begins behind it. */
  after: number;
  /** Accounts whose credentials were refused; one that can't be marked in the store is known by this alone. */
  refusedAccounts: Set<number>;
}

/** The result of a round. */
export interface Rechecked {
  /** How many topics came back. */
  back: number;
  /** The topic that was asked for last, by its `subId`. */
  last: number;
  /** An account's credentials were refused, which ended the round. */
  refusal?: { failure: Failure; accountId: number };
}

/**
 * Asks whether refused topics may be read by now, and lets those back in: one by one, as mostly nothing has changed,
 * and once one is allowed, the others of its list together. It never tries refused credentials again, as each try with
 * them counts as a failed login.
 */
export async function recheckRefused(
  environment: Environment,
  requests: Requests,
  plan: ServerPlan,
  { most, after, refusedAccounts }: RecheckRound,
  signal: AbortSignal,
): Promise<Rechecked> {
  const found: Rechecked = { back: 0, last: after };
  const lists = refusedByAccount(plan, requests.address, refusedAccounts);
  const inTurn = lists.flat().sort((a, b) => a.subId - b.subId);
  const first = inTurn.findIndex(({ subId }) => subId > after);
  const topics = first > 0 ? [...inTurn.slice(first), ...inTurn.slice(0, first)] : inTurn;
  const settled = new Set<SubscriptionRecord>();
  /** Resolves to whether these topics of one account may be read; undefined = unknown, so the round ends. */
  const mayRead = async (asked: readonly SubscriptionRecord[]): Promise<boolean | undefined> => {
    const accountId = asked[0]?.accountId ?? 0;
    const names = asked.map(({ topic }) => topic);
    const failure = await whyNotRead(environment, requests, names, plan.credentials(accountId), signal);
    if (!failure) return true;
    if (failure.kind !== "unauthorized") return reactionTo(failure).kind === "leave-out" ? false : undefined;
    if (accountId !== 0) {
      refusedAccounts.add(accountId);
      found.refusal = { failure, accountId };
    }
    return undefined;
  };
  const letBack = async (freed: readonly SubscriptionRecord[]): Promise<void> => {
    for (const { subId } of freed) {
      const patched = await environment.store.patchSubscription(subId, { refusedCode: null });
      if (patched.ok) found.back += 1;
    }
  };
  let singles = 0;
  for (const one of topics) {
    if (singles === most || signal.aborted) break;
    if (settled.has(one)) continue;
    singles += 1;
    found.last = one.subId;
    const isAllowed = await mayRead([one]);
    if (isAllowed === undefined) break;
    settled.add(one);
    if (!isAllowed) continue;
    await letBack([one]);
    const others = (lists.find((list) => list.includes(one)) ?? []).filter((other) => !settled.has(other));
    if (others.length === 0) continue;
    const areAllowed = await mayRead(others);
    if (areAllowed === undefined) break;
    if (!areAllowed) continue;
    for (const other of others) settled.add(other);
    await letBack(others);
  }
  return found;
}

/** Refused topics whose credentials weren't refused, by account, in lists that fit one request. */
function refusedByAccount(
  plan: ServerPlan,
  address: ServerAddress,
  refusedAccounts: ReadonlySet<number>,
): SubscriptionRecord[][] {
  const byAccount = new Map<number, SubscriptionRecord[]>();
  for (const one of plan.subscriptions) {
    const isAccountRefused = plan.accounts.some(
      ({ accountId, refusedAtMs }) => accountId === one.accountId && refusedAtMs !== undefined,
    );
    if (one.refusedCode === undefined || isAccountRefused || refusedAccounts.has(one.accountId)) continue;
    byAccount.set(one.accountId, [...(byAccount.get(one.accountId) ?? []), one]);
  }
  return [...byAccount].flatMap(([accountId, own]) => {
    const names = own.map(({ topic }) => topic);
    const lists = splitTopicsByUrlLength(address, names, undefined, plan.credentials(accountId));
    return lists.map((list) => own.filter(({ topic }) => list.includes(topic)));
  });
}
