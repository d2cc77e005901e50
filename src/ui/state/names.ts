import type { ServerRecord, SubscriptionRecord } from "../../client";
import { addressHost } from "../../protocol";

/** What a server is called: the name given here, else its address. */
export function serverName(server: Pick<ServerRecord, "name" | "address">): string {
  return server.name ?? addressHost(server.address);
}

/** What a topic is called: the name given here, else its own. */
export function topicName(subscription: Pick<SubscriptionRecord, "displayName" | "topic">): string {
  return subscription.displayName ?? subscription.topic;
}
