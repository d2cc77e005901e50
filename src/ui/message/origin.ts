import type { StoredMessage } from "../../client";
import { addressHost, type MessageEvent, type ServerAddress } from "../../protocol";
import type { App } from "../state/app.svelte";
import { isOnServer } from "./links";

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

/** Origin of a stored message; undefined once its topic was removed. */
export function originOf(app: App, row: Pick<StoredMessage, "subId">): Origin | undefined {
  const subscription = app.subscription(row.subId);
  const server = subscription && app.server(subscription.serverId);
  if (!server) return undefined;
  return {
    address: server.address,
    topic: subscription.topic,
    name: subscription.displayName,
    colour: subscription.colour,
    allowsRemote: app.catalogue.settings.allowedRemote.includes(row.subId),
  };
}

/** Title that a message is shown with (protocol, section 14): its own, else the topic's name, else `<host>/<topic>`. */
export function titleWords(event: MessageEvent, origin: Origin): string {
  return event.title?.trim() || origin.name || `${addressHost(origin.address)}/${origin.topic}`;
}

/** Whether something that a message points at may load unasked (DESIGN, section 2, promise 7). */
export function mayLoad(href: string, origin: Origin): boolean {
  return origin.allowsRemote || isOnServer(href, origin.address);
}
