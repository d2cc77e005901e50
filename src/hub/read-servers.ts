import { ok, type Result } from "../protocol";
import type { AccountRecord, ServerRecord, Store, StoreError, SubscriptionRecord } from "../store";

/** All servers, with their accounts and what is subscribed to. */
export interface StoredServers {
  servers: ServerRecord[];
  accounts: AccountRecord[];
  subscriptions: SubscriptionRecord[];
}

/** Reads all three; the first that can't be read is the error. */
export async function readServers(store: Store): Promise<Result<StoredServers, StoreError>> {
  const [servers, accounts, subscriptions] = await Promise.all([
    store.servers(),
    store.accounts(),
    store.subscriptions(),
  ]);
  if (!servers.ok) return servers;
  if (!accounts.ok) return accounts;
  if (!subscriptions.ok) return subscriptions;
  return ok({ servers: servers.value, accounts: accounts.value, subscriptions: subscriptions.value });
}
