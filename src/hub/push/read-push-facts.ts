import type { AccountRecord, PushRecord, ServerRecord, Settings, Store, SubscriptionRecord } from "../../store";
import { readServers } from "../read-servers";

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
  const [pushes, stored, settings] = await Promise.all([store.pushes(), readServers(store), store.settings()]);
  if (!pushes.ok || !stored.ok || !settings.ok) return "unreadable";
  const { servers, accounts, subscriptions } = stored.value;
  const record = pushes.value.find(({ parts }) => parts.some((part) => part.scope === scope));
  const server = record && servers.find(({ serverId }) => serverId === record.serverId);
  if (!record || !server) return "nobody";
  return { record, server, accounts, subscriptions, settings: settings.value };
}
