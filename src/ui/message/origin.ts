import { addressHost, type MessageEvent, type ServerAddress } from "../../protocol";
import type { App } from "../state/app.svelte";
import { ownTitle } from "./body-text";
import { isOnServer } from "./is-on-server";

/** Where a message comes from, as far as showing it goes. */
export interface Origin {
  address: ServerAddress;
  topic: string;
  /** Name that the user gave the topic. */
  name?: string | undefined;
  colour?: number | undefined;
  /** What its messages point at elsewhere loads unasked. */
  allowsRemote: boolean;
}

/** Origins by subscription, so that one that did not change stays the same object and what shows it is left alone. */
const known = new WeakMap<App, Map<number, Origin>>();

/** Origin of a stored message; undefined once its topic was removed. */
export function originOf(app: App, subId: number): Origin | undefined {
  const subscription = app.subscription(subId);
  const server = subscription && app.server(subscription.serverId);
  if (!server) return undefined;
  const origin: Origin = {
    address: server.address,
    topic: subscription.topic,
    name: subscription.displayName,
    colour: subscription.colour,
    allowsRemote: app.catalogue.settings.allowedRemote.includes(subId),
  };
  let book = known.get(app);
  if (!book) known.set(app, (book = new Map()));
  const before = book.get(subId);
  if (before && JSON.stringify(before) === JSON.stringify(origin)) return before;
  book.set(subId, origin);
  return origin;
}

/** Title that a message is shown with (protocol, section 14): its own, else the topic's name, else `<host>/<topic>`. */
export function titleWords(event: MessageEvent, origin: Origin): string {
  return ownTitle(event) ?? origin.name ?? `${addressHost(origin.address)}/${origin.topic}`;
}

/** Whether something that a message points at may load unasked (DESIGN, section 2, promise 7). */
export function mayLoad(href: string, origin: Origin): boolean {
  return origin.allowsRemote || isOnServer(href, origin.address);
}
