import type { AccountRecord, SubscriptionRecord } from "../../../client";

/** Whether the server rejected the password or token used for a topic, whatever its user may read. */
export function isSignInRejected(
  accounts: readonly AccountRecord[],
  { accountId }: Pick<SubscriptionRecord, "accountId">,
): boolean {
  return accounts.some((account) => account.accountId === accountId && account.refusedAtMs !== undefined);
}

/**
 * Whether a refusal concerns the right to read, which a sign-in may give. @param refusedCode absent = its account was
 * refused
 */
export function isAccessCode(refusedCode: number | undefined): boolean {
  return refusedCode === undefined || [401, 403].includes(Math.floor(refusedCode / 100));
}
