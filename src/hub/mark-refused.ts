import { splitTopicsByUrlLength, type Failure } from "../protocol";
import type { SubscriptionRecord } from "../store";
import { findRefused } from "./find-refused";
import type { Requests } from "./requests";
import type { ServerPlan } from "./server-plan";
import type { Environment } from "./environment";

/** What is looked into. */
interface FoundRefusal {
  /** Absent = topics that wait are asked about again. */
  failure?: Failure;
  accountId: number;
  signal: AbortSignal;
}

/** What became of the topics. */
interface Marked {
  /** Something is left out now that wasn't, or the other way round. */
  isChanged: boolean;
  /** Subscriptions that need not wait any more. */
  settled: number[];
  /** Subscriptions that wait, with the code of the refusal. */
  waiting: Map<number, number>;
}

/**
 * Finds out which of an account's topics a server refuses, and marks them in the store, so that they are left out until
 * they are tried again (docs/protocol.md §19, trap 23).
 * @param own the topics that may be refused
 */
export async function markRefused(
  environment: Environment,
  requests: Requests,
  plan: ServerPlan,
  own: readonly SubscriptionRecord[],
  { failure, accountId, signal }: FoundRefusal,
): Promise<Marked> {
  const { store, now } = environment;
  const refuseAccount = async (): Promise<Marked> => {
    const patched = await store.patchAccount(accountId, { refusedAtMs: now() });
    // Other accounts may go on meanwhile, so only each topic's own state can say how long it was away.
    await store.unjoin(own.map((subscription) => subscription.subId));
    return { isChanged: patched.ok && patched.value !== undefined, settled: [], waiting: new Map() };
  };
  // Wrong credentials are wrong for every topic, and failed logins are rationed, so not one more request is made with
  // them.
  if (failure?.kind === "unauthorized" && accountId !== 0) return refuseAccount();
  const credentials = plan.credentials(accountId);
  const topics = own.map((subscription) => subscription.topic);
  const parts = failure ? [topics] : growing(topics);
  const lists = parts.flatMap((part) => splitTopicsByUrlLength(requests.address, part, undefined, credentials));
  const code = failure && "code" in failure ? failure.code : undefined;
  const found = await findRefused(environment, requests, lists, {
    credentials,
    signal,
    code,
  });
  if (found.failure?.kind === "unauthorized" && accountId !== 0) return refuseAccount();
  const marked: number[] = [];
  for (const { subId, topic } of own) {
    const refusedCode = found.refused.get(topic);
    if (refusedCode === undefined) continue;
    const patched = await store.patchSubscription(subId, { refusedCode });
    // One that can't be marked, as the disk is full, is refused again by the next try, which must not come at once.
    if (patched.ok) marked.push(subId);
  }
  const named = new Map(own.map(({ topic, subId }) => [topic, subId]));
  const subIdOf = (topic: string): number[] => [named.get(topic) ?? []].flat();
  const waiting = new Map([...found.waiting].flatMap(([topic, code]) => subIdOf(topic).map((subId) => [subId, code])));
  const settled = [...marked, ...found.allowed.flatMap(subIdOf)];
  // They are left out of the group's polls from now on, so the group's cursor says nothing about them.
  if (marked.length + waiting.size > 0) await store.unjoin([...marked, ...waiting.keys()]);
  const isChanged = failure ? marked.length + waiting.size > 0 : settled.length > 0;
  return { isChanged, settled, waiting };
}

/** Lists of one topic, two, four and so on: as many as the server admits are found by few questions. */
function growing(topics: readonly string[]): string[][] {
  const lists: string[][] = [];
  for (let from = 0; from < topics.length; from = 2 * from + 1) lists.push(topics.slice(from, 2 * from + 1));
  return lists;
}

/** What the user is told of topics that were marked. @param before the topics that were refused before */
export function newlyRefused(
  plan: ServerPlan,
  before: readonly string[],
  { failure, accountId }: { failure: Failure; accountId: number },
): { why: Failure; topics: string[] } {
  const topics = plan.refusedTopics.filter((topic) => !before.includes(topic));
  const isSignedIn = plan.credentials(accountId) !== undefined;
  // Among topics that weren't admitted others may be refused.
  const cause = failure.kind === "busy" ? (plan.refusal ?? failure) : failure;
  const why = cause.kind === "forbidden" ? { ...cause, topics, ...(isSignedIn && { isSignedIn }) } : cause;
  return { why, topics };
}

/** Marks everything that was refused as not refused. Returns whether there was anything. */
export async function letBackIn({ store }: Environment, { subscriptions, accounts }: ServerPlan): Promise<boolean> {
  const refused = subscriptions.filter((subscription) => subscription.refusedCode !== undefined);
  const refusedAccounts = accounts.filter((account) => account.refusedAtMs !== undefined);
  for (const { subId } of refused) await store.patchSubscription(subId, { refusedCode: null });
  for (const { accountId } of refusedAccounts) await store.patchAccount(accountId, { refusedAtMs: null });
  return refused.length + refusedAccounts.length > 0;
}
