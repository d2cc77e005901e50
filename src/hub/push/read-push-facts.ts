import type { AccountRecord, PushRecord, ServerRecord, Settings, Store, SubscriptionRecord } from "../../store";

/** What is stored of the server whose push came. */
export interface PushFacts {
  record: PushRecord;
  server: ServerRecord;
  accounts: AccountRecord[];
  /** Of all servers. */
  subscriptions: SubscriptionRecord[];
  settings: Settings;
}

/**
 * Reads what is stored of the server that a scope belongs to. `nobody`: none does, as it was removed, or the storage was
 * evicted.
 */
export async function readPushFacts(store: Store, scope: string): Promise<PushFacts | "nobody" | "unreadable"> {
  const [pushes, servers, accounts, subscriptions, settings] = await Promise.all([
    store.pushes(),
    store.servers(),
    store.accounts(),
    store.subscriptions(),
    store.settings(),
  ]);
  if (!pushes.ok || !servers.ok || !accounts.ok || !subscriptions.ok || !settings.ok) return "unreadable";
  const record = pushes.value.find(({ parts }) => parts.some((part) => part.scope === scope));
  const server = record && servers.value.find(({ serverId }) => serverId === record.serverId);
  if (!record || !server) return "nobody";
  return { record, server, accounts: accounts.value, subscriptions: subscriptions.value, settings: settings.value };
}
