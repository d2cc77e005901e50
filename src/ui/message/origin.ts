import { addressHost, type MessageEvent, type ServerAddress } from "../../protocol";
import type { App } from "../state/app.svelte";
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
    unasked: app.catalogue.settings.allowedRemote.includes(subId) ? "all" : "files",
  };
  let book = known.get(app);
  if (!book) known.set(app, (book = new Map()));
  const before = book.get(subId);
  if (before && JSON.stringify(before) === JSON.stringify(origin)) return before;
  book.set(subId, origin);
  return origin;
}

/** Title that a message is shown with (docs/protocol.md §14): its own, else the topic's name, else `<host>/<topic>`. */
export function titleWords(event: MessageEvent, origin: Origin): string {
  return ownTitle(event) ?? origin.name ?? `${addressHost(origin.address)}/${origin.topic}`;
}
