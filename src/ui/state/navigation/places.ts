import type { ServerRecord, SubscriptionRecord } from "../../../client";
import { type Filter, foldText, isPlace, type PlaceTerm, type RowFilter, type RowTerm } from "../../../contract";
import { addressHost } from "../../../protocol";
import { serverName, topicName } from "../topics/names";

/** What the places in a filter are compared with. */
type NamedTopic = Pick<SubscriptionRecord, "topic" | "displayName" | "group">;

/** The names of a topic under `topic:`, `server:` or `group:`. */
function namesOf(
  kind: PlaceTerm["kind"],
  subscription: NamedTopic,
  server: Pick<ServerRecord, "name" | "address">,
): string[] {
  switch (kind) {
    case "topic":
      return [subscription.topic, topicName(subscription)];
    case "server":
      return [serverName(server), addressHost(server.address), server.address];
    case "group":
      return subscription.group === undefined ? [] : [subscription.group];
  }
}

/** Prepares a filter's places, to compare them with topics by whole names, whatever their case and accents. */
export function placeTest(
  filter: Filter,
): (subscription: NamedTopic, server: Pick<ServerRecord, "name" | "address">) => boolean {
  const places = filter.terms
    .filter(isPlace)
    .map(({ not, kind, values }) => ({ not, kind, wanted: new Set(values.map(foldText)) }));
  return (subscription, server) =>
    places.every(
      ({ not, kind, wanted }) => namesOf(kind, subscription, server).some((name) => wanted.has(foldText(name))) !== not,
    );
}

/** The topics that remain after a filter's places. */
export function inPlaces(
  filter: Filter,
  servers: readonly ServerRecord[],
  subscriptions: readonly SubscriptionRecord[],
): readonly SubscriptionRecord[] {
  if (!filter.terms.some(isPlace)) return subscriptions;
  const passes = placeTest(filter);
  const byId = new Map(servers.map((server) => [server.serverId, server]));
  return subscriptions.filter((subscription) => {
    const server = byId.get(subscription.serverId);
    return server !== undefined && passes(subscription, server);
  });
}

/** The conditions of a filter that apply to rows. */
export function withoutPlaces(filter: Filter): RowFilter {
  return { terms: filter.terms.filter((term): term is RowTerm => !isPlace(term)) };
}
