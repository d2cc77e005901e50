import { foldText } from "../../contract";
import type { SubscriptionRecord } from "../../client";

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
