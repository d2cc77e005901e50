import type { MessageKey } from "../contract";
import type { Failure, Result } from "../protocol";
import { fail, ok } from "../protocol";
import type { SubscriptionRecord } from "../store";
import type { CaughtUp } from "./catch-up-group";
import type { ServerContext } from "./server-context";
import type { PolledGroup } from "./polled-group";

/**
 * Polls for everything that the server still has, of all topics or of one. Resolves to what was missing here, and
 * whether more is lost.
 */
export async function refresh(
  here: ServerContext,
  groups: ReadonlyMap<number, PolledGroup>,
  subId?: number,
): Promise<Result<CaughtUp, Failure | { kind: "storage" }>> {
  const chosen = here.plan.readable.filter((subscription) => subId === undefined || subscription.subId === subId);
  const accountIds = new Set(chosen.map((subscription) => subscription.accountId));
  if (accountIds.size === 0) return fail(here.plan.refusal ?? { kind: "ended" });
  let found: MessageKey[] = [];
  let isForgetful = await hasForgotten(here, chosen);
  for (const accountId of accountIds) {
    const result = await groups.get(accountId)?.poll("all", subId === undefined ? undefined : [subId]);
    if (!result) continue;
    if (!result.ok) return fail(result.error.kind === "poll" ? result.error.why : result.error);
    found = [...found, ...result.value.found];
    isForgetful ||= result.value.hasForgotten === true;
  }
  return ok({ found, ...(isForgetful && { hasForgotten: true }) });
}

/** Whether an earlier poll found that the server lost messages it should still have. */
async function hasForgotten(
  { environment, serverClock, facts }: ServerContext,
  subscriptions: readonly SubscriptionRecord[],
): Promise<boolean> {
  const gaps = await environment.store.gaps(subscriptions.map(({ subId }) => subId));
  if (!gaps.ok) return false;
  const { nowS } = serverClock;
  return gaps.value.some(({ subId, to, forgot }) => forgot && to > nowS - (facts.retentionOf(subId) ?? 0));
}
