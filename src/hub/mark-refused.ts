import type { Failure } from "../protocol";
import { findRefused } from "./find-refused";
import type { Requests } from "./requests";
import type { ServerPlan } from "./server-plan";
import type { Environment } from "./environment";

/**
 * Finds out which of an account's topics a server refuses, and marks them in the store, so that they are left out until
 * they are tried again (docs/protocol.md §19, trap 23). Resolves to whether something was found and marked.
 */
export async function markRefused(
  { store, now }: Environment,
  requests: Requests,
  plan: ServerPlan,
  { failure, accountId, signal }: { failure: Failure; accountId: number; signal: AbortSignal },
): Promise<boolean> {
  const own = plan.readable.filter((subscription) => subscription.accountId === accountId);
  const refuseAccount = async (): Promise<boolean> => {
    const patched = await store.patchAccount(accountId, { refusedAtMs: now() });
    // Other accounts may go on meanwhile, so only each topic's own state can say how long it was away.
    await store.unjoin(own.map((subscription) => subscription.subId));
    return patched.ok && patched.value !== undefined;
  };
  // Wrong credentials are wrong for every topic, and failed logins are rationed, so not one more request is made with
  // them.
  if (failure.kind === "unauthorized" && accountId !== 0) return refuseAccount();
  const topics = own.map((subscription) => subscription.topic);
  const found = await findRefused(requests, topics, plan.credentials(accountId), signal);
  if (found.failure?.kind === "unauthorized" && accountId !== 0) return refuseAccount();
  const marked: number[] = [];
  for (const { subId, topic } of own) {
    const refusedCode = found.refused.get(topic);
    if (refusedCode === undefined) continue;
    const patched = await store.patchSubscription(subId, { refusedCode });
    // One that can't be marked, as the disk is full, is refused again by the next try, which must not come at once.
    if (patched.ok) marked.push(subId);
  }
  // They are left out of the group's polls from now on, so the group's cursor says nothing about them.
  if (marked.length > 0) await store.unjoin(marked);
  return marked.length > 0;
}

/** What the user is told of topics that were marked. @param before the topics that were refused before */
export function newlyRefused(
  plan: ServerPlan,
  before: readonly string[],
  { failure, accountId }: { failure: Failure; accountId: number },
): { why: Failure; topics: string[] } {
  const topics = plan.refusedTopics.filter((topic) => !before.includes(topic));
  const isSignedIn = plan.credentials(accountId) !== undefined;
  const why = failure.kind === "forbidden" ? { ...failure, topics, ...(isSignedIn && { isSignedIn }) } : failure;
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
