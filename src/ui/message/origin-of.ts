import type { CatalogueState } from "../state/catalogue.svelte";
import { serverName, sharedNames, topicName } from "../state/names";
import type { Origin } from "./origin";

/** Origins by subscription, so that an unchanged one stays the same object and causes no redraw. */
const known = new WeakMap<CatalogueState, Map<number, Origin>>();

/** Names that topics of several servers have, by the list of topics. */
const sharedBy = new WeakMap<CatalogueState["subscriptions"], Set<string>>();

function isShared({ subscriptions }: CatalogueState, name: string): boolean {
  let shared = sharedBy.get(subscriptions);
  if (!shared) sharedBy.set(subscriptions, (shared = sharedNames(subscriptions)));
  return shared.has(name);
}

/** Origin of a stored message; undefined once its topic was removed. */
export function originOf(catalogue: CatalogueState, subId: number): Origin | undefined {
  const subscription = catalogue.subscription(subId);
  const server = subscription && catalogue.server(subscription.serverId);
  if (!server) return undefined;
  const origin: Origin = {
    address: server.address,
    topic: subscription.topic,
    name: subscription.displayName === undefined ? undefined : topicName(subscription),
    colour: subscription.colour,
    serverName: isShared(catalogue, topicName(subscription)) ? serverName(server) : undefined,
    unasked: catalogue.settings.allowedRemote.includes(subId) ? "all" : "files",
  };
  let book = known.get(catalogue);
  if (!book) known.set(catalogue, (book = new Map()));
  const before = book.get(subId);
  if (before && JSON.stringify(before) === JSON.stringify(origin)) return before;
  book.set(subId, origin);
  return origin;
}
