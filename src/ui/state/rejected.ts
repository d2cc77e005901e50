import type { AccountRecord, SubscriptionRecord } from "../../client";

/** Whether the server has rejected the password or token that a topic is read with, whatever its user may read. */
export function isSignInRejected(
  accounts: readonly AccountRecord[],
  { accountId }: Pick<SubscriptionRecord, "accountId">,
): boolean {
  return accounts.some((account) => account.accountId === accountId && account.refusedAtMs !== undefined);
}

/** Whether a refusal is one of the right to read, which a sign-in may give. @param refusedCode absent = its account was */
export function isAccessCode(refusedCode: number | undefined): boolean {
  return refusedCode === undefined || [401, 403].includes(Math.floor(refusedCode / 100));
}
