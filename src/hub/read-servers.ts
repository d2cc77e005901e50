import { ok, type Result } from "../protocol";
import type { AccountRecord, ServerRecord, Store, StoreError, SubscriptionRecord } from "../store";

/** A server with its accounts and the subscriptions there. */
export interface StoredServer {
  server: ServerRecord;
  accounts: AccountRecord[];
  /** Those not removed. */
  subscriptions: SubscriptionRecord[];
}

export async function readServers(store: Store): Promise<Result<StoredServer[], StoreError>> {
  const read = await store.serverTables();
  if (!read.ok) return read;
  const { servers, accounts, subscriptions } = read.value;
  const isOf = (serverId: number) => (one: { serverId: number }) => one.serverId === serverId;
  return ok(
    servers.map((server) => ({
      server,
      accounts: accounts.filter(isOf(server.serverId)),
      subscriptions: subscriptions.filter(isOf(server.serverId)),
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
