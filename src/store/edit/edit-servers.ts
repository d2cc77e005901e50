// Changes that the user makes to servers and accounts.
import type { Patch } from "../../contract";
import { isSameSignIn, type ServerAddress } from "../../protocol";
import { startingWith, transact, type Database, type Transaction, takeNumbers } from "../database";
import type { AccountRecord, ServerRecord, PushRecord } from "../schema";
import { leftGroup } from "./edit-subscriptions";
import { removeUnusedAccounts } from "./remove-unused";

/** How an account signs in, as it is stored. */
export type AccountSignIn = Pick<AccountRecord, "credentials" | "user" | "issued" | "expires">;

/** Adds a server, or returns the one that has this address. */
export function addServer(database: Database, address: ServerAddress): Promise<ServerRecord> {
  return transact(database, ["servers", "settings"], "by hand", async (transaction) => {
    const servers = transaction.store("servers");
    const known = await servers.index("address").get(address);
    if (known) return known;
    const server: ServerRecord = { serverId: await takeNumbers(transaction), address };
    servers.put(server);
    return server;
  });
}

export function findServer(database: Database, address: ServerAddress): Promise<ServerRecord | undefined> {
  return transact(database, ["servers"], "read", (transaction) =>
    transaction.store("servers").index("address").get(address),
  );
}

/** Adds an account, or returns the server's account with the same credentials, which is then tried again. */
export function addAccount(database: Database, serverId: number, signIn: AccountSignIn): Promise<AccountRecord> {
  return transact(database, ["accounts", "settings"], "by hand", (transaction) =>
    putAccount(transaction, serverId, signIn),
  );
}

export type AccountPatch = Patch<Pick<AccountRecord, "expires" | "refusedAtMs">>;

/**
 * Gives a server another address. Its topics keep their messages, and what comes again is recognised by id. What was
 * learnt about the old machine goes, as do the id cursors: each topic is caught up alone, from the beginning, before it
 * rejoins its group. Time cursors stay, because they say since when messages may be missing.
 *
 * @param keepsSignIn whether its credentials and extra headers are used there too; otherwise they are removed
 * @returns `taken`: another server of the list has that address
 */
export function moveServer(
  database: Database,
  { serverId, address, keepsSignIn }: Pick<ServerRecord, "serverId" | "address"> & { keepsSignIn: boolean },
): Promise<"moved" | "taken" | "not-found"> {
  const names = ["servers", "accounts", "subscriptions", "cursors"] as const;
  return transact(database, names, "by hand", async (transaction) => {
    const servers = transaction.store("servers");
    const [server, other] = await Promise.all([servers.get(serverId), servers.index("address").get(address)]);
    if (!server) return "not-found";
    if (other) return other.serverId === serverId ? "moved" : "taken";
    const { name, chosenTransport, headers, formerAddresses = [] } = server;
    servers.put({
      serverId,
      address,
      formerAddresses: [...formerAddresses, server.address].filter((former) => former !== address),
      ...(name !== undefined && { name }),
      ...(chosenTransport && { chosenTransport }),
      ...(headers && keepsSignIn && { headers }),
    });
    const accounts = transaction.store("accounts");
    for (const account of await accounts.index("server").getAll(serverId)) {
      delete account.refusedAtMs;
      if (keepsSignIn) accounts.put(account);
      else accounts.delete(account.accountId);
    }
    const subscriptions = transaction.store("subscriptions");
    for (const subscription of await subscriptions.getAll()) {
      if (subscription.serverId !== serverId) continue;
      const { refusedCode: _, keptFor: __, ...left } = leftGroup(subscription);
      subscriptions.put(keepsSignIn ? left : { ...left, accountId: 0 });
    }
    transaction.store("cursors").delete(startingWith(serverId));
    return "moved";
  });
}

/**
 * Sets or (with `null`) removes the credentials of some of a server's subscriptions, or of all. They leave the group of
 * their former account, and are caught up alone before they join the new one; refusals no longer hold. Accounts that nothing uses any more are removed, and
 * returned as `gone`.
 */
export function setAccount(
  database: Database,
  { serverId, subIds, signIn }: { serverId: number; subIds?: number[]; signIn: AccountSignIn | null },
): Promise<{ accountId: number; gone: AccountRecord[] }> {
  const names = ["accounts", "subscriptions", "settings", "cursors"] as const;
  return transact(database, names, "by hand", async (transaction) => {
    const account = signIn && (await putAccount(transaction, serverId, signIn));
    const accountId = account?.accountId ?? 0;
    const all = await transaction.store("subscriptions").getAll();
    for (const subscription of all) {
      if (subscription.serverId !== serverId || subIds?.includes(subscription.subId) === false) continue;
      if (subscription.accountId !== accountId && subscription.joined) subscription.joined = 0;
      subscription.accountId = accountId;
      delete subscription.refusedCode;
      if (subscription.tellsRead === "refused") subscription.tellsRead = "on";
      transaction.store("subscriptions").put(subscription);
    }
    return { accountId, gone: await removeUnusedAccounts(transaction, serverId, all, accountId) };
  });
}

/** Adds an account, or returns the server's account with the same credentials. */
export async function putAccount(
  transaction: Transaction<"accounts" | "settings">,
  serverId: number,
  { credentials, user, issued, expires }: AccountSignIn,
): Promise<AccountRecord> {
  const accounts = transaction.store("accounts");
  const held = await accounts.index("server").getAll(serverId);
  const same = held.find((account) => isSameSignIn(account.credentials, credentials));
  const account: AccountRecord = {
    ...(same ?? { accountId: await takeNumbers(transaction), serverId, credentials }),
    ...(user !== undefined && { user }),
    ...(issued && { issued }),
    ...(expires !== undefined && { expires }),
  };
  delete account.refusedAtMs;
  accounts.put(account);
  return account;
}

export type ServerPatch = Patch<Omit<ServerRecord, "serverId" | "address">>;

/**
 * Changes the record of a server's pushes.
 * @param edit gets the stored record and returns the new one; undefined deletes it
 * @returns the record as it was before
 */
export function editPush(
  database: Database,
  serverId: number,
  edit: (before: PushRecord | undefined) => PushRecord | undefined,
): Promise<PushRecord | undefined> {
  return transact(database, ["push"], "write", async (transaction) => {
    const store = transaction.store("push");
    const before = await store.get(serverId);
    const after = edit(before);
    if (after) store.put(after);
    else if (before) store.delete(serverId);
    return before;
  });
}
