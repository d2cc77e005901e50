import { addressHost, type MessageEvent, type ServerAddress } from "../../protocol";
import type { CatalogueState } from "../state/catalogue.svelte";
import { ownTitle } from "./body-text";

/**
 * What loads unasked of the files that messages point at: nothing, files uploaded to the message's own server, or also
 * files elsewhere.
 */
export type Unasked = "nothing" | "files" | "all";

/** Where a message comes from, as far as showing it goes. */
export interface Origin {
  address: ServerAddress;
  topic: string;
  /** Name that the user gave the topic. */
  name?: string | undefined;
  colour?: number | undefined;
  unasked: Unasked;
}

/** Origins by subscription, so that an unchanged one stays the same object and causes no redraw. */
const known = new WeakMap<CatalogueState, Map<number, Origin>>();

/** Origin of a stored message; undefined once its topic was removed. */
export function originOf(catalogue: CatalogueState, subId: number): Origin | undefined {
  const subscription = catalogue.subscription(subId);
  const server = subscription && catalogue.server(subscription.serverId);
  if (!server) return undefined;
  const origin: Origin = {
    address: server.address,
    topic: subscription.topic,
    name: subscription.displayName,
    colour: subscription.colour,
    unasked: catalogue.settings.allowedRemote.includes(subId) ? "all" : "files",
  };
  let book = known.get(catalogue);
  if (!book) known.set(catalogue, (book = new Map()));
  const before = book.get(subId);
  if (before && JSON.stringify(before) === JSON.stringify(origin)) return before;
  book.set(subId, origin);
  return origin;
}

/** Title that a message is shown with (docs/protocol.md §14): its own, else the topic's name, else `<host>/<topic>`. */
export function titleWords(event: MessageEvent, origin: Origin): string {
  return ownTitle(event) ?? origin.name ?? `${addressHost(origin.address)}/${origin.topic}`;
}
