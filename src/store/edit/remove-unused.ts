import type { ServerAddress } from "../../protocol";
import { startingWith, type Transaction } from "../database";
import { groupIn } from "../ingest/told-marks";
import type { AccountRecord, ServerRecord, SubscriptionRecord } from "../schema";

/** Removes accounts that no subscription names, with their cursors. Resolves to the removed ones. */
export async function removeUnusedAccounts(
  transaction: Transaction<"accounts" | "cursors">,
  serverId: number,
  subscriptions: readonly SubscriptionRecord[],
  keptId = 0,
): Promise<AccountRecord[]> {
  const accounts = transaction.store("accounts");
  const used = new Set([keptId, ...subscriptions.map(({ accountId }) => accountId)]);
  const all = await accounts.index("server").getAll(serverId);
  const gone = all.filter(({ accountId }) => !used.has(accountId));
  for (const { accountId } of gone) {
    accounts.delete(accountId);
    transaction.store("cursors").delete([serverId, accountId]);
  }
  return gone;
}

/** Removes the accounts of a server that no topic uses, and without topics the server, unless it carries the group. */
export async function removeUnused(
  transaction: Transaction<"accounts" | "cursors" | "group" | "push" | "servers" | "subscriptions">,
  serverId: number,
): Promise<void> {
  const [server, group, all] = await Promise.all([
    transaction.store("servers").get(serverId),
    groupIn(transaction),
    transaction.store("subscriptions").getAll(),
  ]);
  if (server && group && !group.ended && isServerAt(server, group.address)) return;
  const own = all.filter((subscription) => subscription.serverId === serverId);
  await removeUnusedAccounts(transaction, serverId, own);
  if (own.length > 0) return;
  transaction.store("cursors").delete(startingWith(serverId));
  transaction.store("push").delete(serverId);
  transaction.store("servers").delete(serverId);
}

/** Whether a server has this address, or had it before it moved. */
export const isServerAt = ({ address, formerAddresses = [] }: ServerRecord, at: ServerAddress): boolean =>
  [address, ...formerAddresses].includes(at);
