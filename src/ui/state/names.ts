import type { ServerRecord, SubscriptionRecord } from "../../client";
import { addressHost } from "../../protocol";

/** The name of a server: the one that the user gave it, else its address. */
export function serverName(server: Pick<ServerRecord, "name" | "address">): string {
  return server.name ?? addressHost(server.address);
}

/** The name of a topic: the one that the user gave it, else its own. */
export function topicName(subscription: Pick<SubscriptionRecord, "displayName" | "topic">): string {
  return subscription.displayName ?? subscription.topic;
}
