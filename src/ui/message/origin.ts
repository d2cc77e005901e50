import type { ServerAddress } from "../../protocol";
import type { CatalogueState } from "../state/catalogue.svelte";
import { serverName, topicName } from "../state/topics/names";

/** Which files that messages load need no press: none, those uploaded to the message's server, or others too. */
export type Unasked = "nothing" | "files" | "all";

/** What is shown of where a message comes from. */
export interface Origin {
  address: ServerAddress;
  topic: string;
  /** The user's name for the topic. */
  name?: string | undefined;
  colour?: number | undefined;
  /** Name of its server, if a topic of another server has the same name. */
  serverName?: string | undefined;
  unasked: Unasked;
}

/** Origins by subscription, so an unchanged one stays the same object and causes no redraw. */
const known = new WeakMap<CatalogueState, Map<number, Origin>>();

/** Origin of a stored message; undefined once its topic is removed. */
export function originOf(catalogue: CatalogueState, subId: number): Origin | undefined {
  const subscription = catalogue.subscription(subId);
  const server = subscription && catalogue.server(subscription.serverId);
  if (!server) return undefined;
  const origin: Origin = {
    address: server.address,
    topic: subscription.topic,
    name: subscription.displayName === undefined ? undefined : topicName(subscription),
    colour: subscription.colour,
    serverName: catalogue.sharedNames.has(topicName(subscription)) ? serverName(server) : undefined,
    unasked: catalogue.settings.allowedRemote.includes(subId) ? "all" : "files",
  };
  let book = known.get(catalogue);
  if (!book) known.set(catalogue, (book = new Map()));
  const before = book.get(subId);
  if (before && JSON.stringify(before) === JSON.stringify(origin)) return before;
  book.set(subId, origin);
  return origin;
}

/** A topic's name, with its server if topics share the name. */
export function placedName(catalogue: CatalogueState, subId: number): string {
  const subscription = catalogue.subscription(subId);
  if (!subscription) return "";
  const server = originOf(catalogue, subId)?.serverName;
  return server === undefined ? topicName(subscription) : `${topicName(subscription)} · ${server}`;
}
