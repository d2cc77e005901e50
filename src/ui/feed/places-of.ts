import type { SubscriptionRecord } from "../../client";
import type { CatalogueState } from "../state/catalogue.svelte";
import { serverName, topicName } from "../state/names";
import { filterStrings } from "../strings/filter";
import type { CompletionData } from "./suggest";

/** The places that a filter of these topics can name, each only once. */
export function placesOf(
  subscriptions: readonly SubscriptionRecord[],
  catalogue: Pick<CatalogueState, "server">,
): CompletionData["places"] {
  const topics = new Map<string, string>();
  const servers = new Map<string, number>();
  const groups = new Map<string, number>();
  for (const subscription of subscriptions) {
    const server = catalogue.server(subscription.serverId);
    const on = server ? serverName(server) : "";
    const name = topicName(subscription);
    const before = topics.get(name);
    topics.set(name, before === undefined || before === on ? on : `${before}, ${on}`);
    servers.set(on, (servers.get(on) ?? 0) + 1);
    if (subscription.group !== undefined) groups.set(subscription.group, (groups.get(subscription.group) ?? 0) + 1);
  }
  const counted = ([name, count]: [string, number]) => ({ name, hint: filterStrings.topics(count) });
  return {
    topic: [...topics].map(([name, hint]) => ({ name, hint })),
    server: [...servers].map(counted),
    group: [...groups].map(counted),
  };
}
