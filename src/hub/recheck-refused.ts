import { authCheckUrl, splitTopicsByUrlLength, type ServerAddress } from "../protocol";
import type { SubscriptionRecord } from "../store";
import { reactionTo } from "./classify";
import { linkedAbort } from "./linked-abort";
import type { Requests } from "./requests";
import type { ServerPlan } from "./server-plan";
import type { Environment } from "./environment";

/** At most this many requests are made in one round. */
const MAX_REQUESTS = 5;

/** The result of a round. */
export interface Rechecked {
  /** How many topics came back. */
  back: number;
  /** How many requests were made. */
  asked: number;
  /** The server said that it was asked too often. */
  isBusy: boolean;
}

/** How many requests a round makes. @param refused how many topics are refused */
export function requestsOfRound(refused: number): number {
  return refused > 1 ? Math.min(MAX_REQUESTS, refused + 1) : 1;
}

/**
 * Asks whether refused topics may be read by now, and lets those back in. It never tries refused credentials again, as
 * each try with them counts as a failed login.
 *
 * @param round counts the rounds, so that each asks for other topics one by one
 */
export async function recheckRefused(
  { store }: Environment,
  requests: Requests,
  plan: ServerPlan,
  round: number,
  signal: AbortSignal,
): Promise<Rechecked> {
  let left = MAX_REQUESTS;
  let back = 0;
  let isBusy = false;
  const ended = (): Rechecked => ({ back, asked: MAX_REQUESTS - left, isBusy });
  for (const topics of refusedByAccount(plan, requests.address)) {
    const mayRead = async (asked: readonly SubscriptionRecord[]): Promise<"yes" | "no" | "unknown"> => {
      left -= 1;
      const credentials = plan.credentials(asked[0]?.accountId ?? 0);
      const names = asked.map(({ topic }) => topic);
      const { aborter, unlink } = linkedAbort(signal);
      const answer = await requests.send({
        url: (auth) => authCheckUrl({ address: requests.address, topics: names, ...(auth && { auth }) }),
        credentials,
        signal: aborter.signal,
      });
      if (answer.ok) await answer.value.body?.cancel().catch(() => undefined);
      unlink();
      if (answer.ok) return "yes";
      isBusy ||= answer.error.kind === "busy";
      // Wrong credentials are just as wrong for the next topic.
      return answer.error.kind !== "unauthorized" && reactionTo(answer.error).kind === "leave-out" ? "no" : "unknown";
    };
    const letBack = async (freed: readonly SubscriptionRecord[]): Promise<void> => {
      for (const { subId } of freed) await store.patchSubscription(subId, { refusedCode: null });
      back += freed.length;
    };
    // All topics are asked for together first, then some one by one, different ones in each round.
    const from = (round * (MAX_REQUESTS - 1)) % topics.length;
    const inTurn = [...topics.slice(from), ...topics.slice(0, from)].map((one) => [one]);
    for (const asked of topics.length > 1 ? [topics, ...inTurn] : inTurn) {
      if (left === 0 || signal.aborted) return ended();
      const answer = await mayRead(asked);
      if (answer === "unknown") return ended();
      if (answer === "no") continue;
      await letBack(asked);
      if (asked === topics) break;
    }
  }
  return ended();
}

/** Refused topics whose credentials weren't refused, by account, in lists that fit one request. */
function refusedByAccount(plan: ServerPlan, address: ServerAddress): SubscriptionRecord[][] {
  const byAccount = new Map<number, SubscriptionRecord[]>();
  for (const one of plan.subscriptions) {
    const isAccountRefused = plan.accounts.some(
      ({ accountId, refusedAtMs }) => accountId === one.accountId && refusedAtMs !== undefined,
    );
    if (one.refusedCode === undefined || isAccountRefused) continue;
    byAccount.set(one.accountId, [...(byAccount.get(one.accountId) ?? []), one]);
  }
  return [...byAccount].flatMap(([accountId, own]) => {
    const names = own.map(({ topic }) => topic);
    const lists = splitTopicsByUrlLength(address, names, undefined, plan.credentials(accountId));
    return lists.map((list) => own.filter(({ topic }) => list.includes(topic)));
  });
}
