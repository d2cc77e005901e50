import type { CatalogueState } from "../state/catalogue.svelte";
import { topicName } from "../state/names";
import { originOf } from "./origin-of";

/** The name of a topic, with its server where topics share the name. */
export function placedName(catalogue: CatalogueState, subId: number): string {
  const subscription = catalogue.subscription(subId);
  if (!subscription) return "";
  const server = originOf(catalogue, subId)?.serverName;
  return server === undefined ? topicName(subscription) : `${topicName(subscription)} · ${server}`;
}
