import type { FirstTables, SubscriptionRecord } from "../../client";
import { addressHost, isHttps, type ServerAddress } from "../../protocol";
import { topicName } from "../state/names";
import type { CachedStrings } from "./cached-strings";

/** A feed whose first rows are drawn before the app is loaded. */
export interface FirstFeed {
  /** The feed's only topic; absent = all topics. */
  subscription?: SubscriptionRecord;
  title: string;
}

/** What the prerender needs to know to choose the feed. */
export interface PageAddress {
  /** Fragment of the address bar. */
  fragment: string;
  home: ServerAddress;
}

/**
 * The feed of a plain link to everything or to one subscribed topic, as `formatLink` writes it. Undefined for any other
 * link, for a saved view (its title is its name), and if the language was changed after its words were cached: the app
 * itself draws those.
 */
export function whichFeed(
  { servers, subscriptions, views, settings }: FirstTables,
  { fragment, home }: PageAddress,
  said: Pick<CachedStrings, "chosen" | "everything">,
): FirstFeed | undefined {
  if (subscriptions.length === 0 || settings.language !== said.chosen) return undefined;
  const link = fragment === "" || fragment === "#" ? "#/" : fragment;
  if (views.some((view) => view.link === link)) return undefined;
  if (link === "#/") return { title: said.everything };
  for (const subscription of subscriptions) {
    const address = servers.find(({ serverId }) => serverId === subscription.serverId)?.address;
    // Plain http links contain the scheme; they are rare, so the app draws them.
    if (address === undefined || (address !== home && !isHttps(address))) continue;
    const where = address === home ? "" : `${addressHost(address)}/`;
    if (link === `#/${where}${subscription.topic}`) return { subscription, title: topicName(subscription) };
  }
  return undefined;
}
