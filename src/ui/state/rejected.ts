import type { AccountRecord, SubscriptionRecord } from "../../client";

/** Whether the server has rejected the password or token that a topic is read with, whatever its user may read. */
export function isSignInRejected(
  accounts: readonly AccountRecord[],
  { accountId }: Pick<SubscriptionRecord, "accountId">,
): boolean {
  return accounts.some((account) => account.accountId === accountId && account.refusedAtMs !== undefined);
}
