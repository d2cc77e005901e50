// Changes to servers and accounts, made by the user.
import type { Credentials, ServerAddress } from "../protocol";
import { BY_HAND, transact, type Database, type Transaction } from "./database";
import { takeNumbers } from "./numbers";
import { patched, type Patch } from "./patch";
import type { AccountRecord, ServerRecord, SubscriptionRecord } from "./schema";

/** Chooses credentials for the subscriptions of a server. */
export interface AccountChoice {
  serverId: number;
  /** Absent = all subscriptions of the server. */
  subIds?: number[];
  /** `null` = none. */
  credentials: Credentials | null;
}

/** Adds a server, or returns the one that has this address. */
export function addServer(database: Database, address: ServerAddress): Promise<ServerRecord> {
  return transact(database, ["servers", "settings"], BY_HAND, async (transaction) => {
    const servers = transaction.store("servers");
    const known = await servers.index("address").get(address);
    if (known) return known;
    const server: ServerRecord = { serverId: await takeNumbers(transaction), address };
    servers.put(server);
    return server;
  });
}

export function findServer(database: Database, address: ServerAddress): Promise<ServerRecord | undefined> {
  return transact(database, ["servers"], { mode: "readonly" }, (transaction) =>
    transaction.store("servers").index("address").get(address),
  );
}

/** Adds an account, or returns the server's account with the same credentials, which may then be tried again. */
export function addAccount(database: Database, serverId: number, credentials: Credentials): Promise<AccountRecord> {
  return transact(database, ["accounts", "settings"], BY_HAND, (transaction) =>
    putAccount(transaction, serverId, credentials),
  );
}

export function patchAccount(
  database: Database,
  accountId: number,
  patch: Patch<Pick<AccountRecord, "expires" | "refusedAtMs">>,
): Promise<AccountRecord | undefined> {
  return transact(database, ["accounts"], { mode: "readwrite" }, async (transaction) => {
    const accounts = transaction.store("accounts");
    const account = await accounts.get(accountId);
    if (!account) return undefined;
    const after = patched(account, patch);
    accounts.put(after);
    return after;
  });
}

/**
 * Sets the credentials of a server's subscriptions. They leave the group of their former account, and are caught up
 * alone before they join the new one; a refusal no longer holds. Accounts that nothing uses any more are removed.
 */
export function setAccount(
  database: Database,
  { serverId, subIds, credentials }: AccountChoice,
): Promise<{ accountId: number; subscriptions: SubscriptionRecord[] }> {
  const names = ["accounts", "subscriptions", "settings", "cursors"] as const;
  return transact(database, names, BY_HAND, async (transaction) => {
    const account = credentials && (await putAccount(transaction, serverId, credentials));
    const accountId = account?.accountId ?? 0;
    const all = await transaction.store("subscriptions").getAll();
    const chosen = all.filter(
      (subscription) => subscription.serverId === serverId && (subIds?.includes(subscription.subId) ?? true),
    );
    for (const subscription of chosen) {
      if (subscription.accountId !== accountId && subscription.joined) subscription.joined = 0;
      subscription.accountId = accountId;
      delete subscription.refusedCode;
      transaction.store("subscriptions").put(subscription);
    }
    await removeUnusedAccounts(transaction, serverId, all, accountId);
    return { accountId, subscriptions: chosen.filter(({ removedAtMs }) => removedAtMs === undefined) };
  });
}

/** Removes accounts that no subscription names, with their cursors: credentials aren't kept without a use. */
export async function removeUnusedAccounts(
  transaction: Transaction<"accounts" | "cursors">,
  serverId: number,
  subscriptions: readonly SubscriptionRecord[],
  keptId = 0,
): Promise<void> {
  const accounts = transaction.store("accounts");
  const used = new Set([keptId, ...subscriptions.map(({ accountId }) => accountId)]);
  for (const { accountId } of await accounts.index("server").getAll(serverId)) {
    if (used.has(accountId)) continue;
    accounts.delete(accountId);
    transaction.store("cursors").delete([serverId, accountId]);
  }
}

/** Adds an account, or returns the server's account with the same credentials. */
export async function putAccount(
  transaction: Transaction<"accounts" | "settings">,
  serverId: number,
  credentials: Credentials,
): Promise<AccountRecord> {
  const accounts = transaction.store("accounts");
  const held = await accounts.index("server").getAll(serverId);
  const same = held.find((account) => isSame(account.credentials, credentials));
  const account: AccountRecord = same ?? { accountId: await takeNumbers(transaction), serverId, credentials };
  delete account.refusedAtMs;
  accounts.put(account);
  return account;
}

function isSame(a: Credentials, b: Credentials): boolean {
  if (a.kind === "token") return b.kind === "token" && a.token === b.token;
  return b.kind === "basic" && a.user === b.user && a.password === b.password;
}
