import { ok, type Result } from "../protocol";
import type { AccountRecord, ServerRecord, Store, StoreError, SubscriptionRecord } from "../store";

/** A server with its accounts and the subscriptions there. */
export interface StoredServer {
  server: ServerRecord;
  accounts: AccountRecord[];
  /** Those not removed. */
  subscriptions: SubscriptionRecord[];
}

/** Reads all servers; the first table that can't be read is the error. */
export async function readServers(store: Store): Promise<Result<StoredServer[], StoreError>> {
  const [servers, accounts, subscriptions] = await Promise.all([
    store.servers(),
    store.accounts(),
    store.subscriptions(),
  ]);
  if (!servers.ok) return servers;
  if (!accounts.ok) return accounts;
  if (!subscriptions.ok) return subscriptions;
  const isOf = (serverId: number) => (one: { serverId: number }) => one.serverId === serverId;
  return ok(
    servers.value.map((server) => ({
      server,
      accounts: accounts.value.filter(isOf(server.serverId)),
      subscriptions: subscriptions.value.filter(isOf(server.serverId)),
    })),
  );
}

/** A subscription with its server and the account that reads it; undefined if it isn't there. */
export function serverOfTopic(servers: readonly StoredServer[], subId: number) {
  for (const { server, accounts, subscriptions } of servers) {
    const topic = subscriptions.find((one) => one.subId === subId);
    if (topic) return { topic, server, account: accounts.find(({ accountId }) => accountId === topic.accountId) };
  }
  return undefined;
}
