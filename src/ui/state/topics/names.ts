import type { ServerRecord, SubscriptionRecord } from "../../../client";
import { foldText, stripBidiControls } from "../../../contract";
import { addressHost } from "../../../protocol";

/** The name of a server: the user's own, which may come from a link or backup, else its address. */
export function serverName(server: Pick<ServerRecord, "name" | "address">): string {
  return server.name === undefined ? addressHost(server.address) : stripBidiControls(server.name);
}

/** A topic's name: the user's own, which may come from an account or backup, else the topic itself. */
export function topicName(subscription: Pick<SubscriptionRecord, "displayName" | "topic">): string {
  return stripBidiControls(subscription.displayName ?? subscription.topic);
}

/** Names that topics of several servers share; these are shown with their server. */
export function sharedNames(subscriptions: readonly SubscriptionRecord[]): Set<string> {
  const shared = new Set<string>();
  const servers = new Map<string, number>();
  for (const subscription of subscriptions) {
    const name = topicName(subscription);
    if ((servers.get(name) ?? subscription.serverId) !== subscription.serverId) shared.add(name);
    servers.set(name, subscription.serverId);
  }
  return shared;
}

/** Topics whose names, group or server contain every word of a query, in their order. */
export function findTopics(
  subscriptions: readonly SubscriptionRecord[],
  query: string,
  serverNameOf: (serverId: number) => string,
): readonly SubscriptionRecord[] {
  const wanted = foldText(query).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return subscriptions;
  return subscriptions.filter(({ topic, displayName = "", group = "", serverId }) => {
    const all = foldText(`${displayName} ${topic} ${group} ${serverNameOf(serverId)}`);
    return wanted.every((word) => all.includes(word));
  });
}
