import type { FindableEntry } from "../parts/form/search-list";
import type { App } from "../state/app.svelte";
import { OWN_LISTS } from "../parts/own-lists";
import { serverName, topicName } from "../state/topics/names";
import { routeOf } from "../state/navigation/route";
import { isFeed, type ColumnFeed } from "../state/navigation/view";
import { appStrings, columnStrings } from "../strings";

/** Something that a column can show. */
export interface ColumnChoice extends FindableEntry {
  part: ColumnFeed;
}

const NO_FILTER: ColumnFeed["filter"] = { terms: [] };

/** All that a column can show: the app's own lists, saved views, topics, and servers of several topics. */
export function columnChoices(app: App): ColumnChoice[] {
  const { server: ofServer, view: ofView } = columnStrings.kinds;
  const lists = OWN_LISTS.map(({ kind, icon }) => ({
    key: kind,
    label: appStrings.shell[kind],
    hint: "",
    mark: { icon },
    part: { view: { kind }, filter: NO_FILTER },
  }));
  const saved = app.catalogue.views.flatMap(({ viewId, name, link }) => {
    const { view, filter } = routeOf(link, app.home);
    if (!isFeed(view)) return [];
    const part: ColumnFeed = { view, filter, saved: name };
    return [{ key: `view ${String(viewId)}`, label: name, hint: ofView, mark: { icon: "filter" as const }, part }];
  });
  const topics = app.catalogue.serverGroups.flatMap(({ server, subscriptions }) =>
    subscriptions.map((subscription) => ({
      key: `topic ${String(subscription.subId)}`,
      label: topicName(subscription),
      hint: serverName(server),
      mark: { topic: subscription.topic, colour: subscription.colour, symbol: subscription.icon },
      part: {
        view: { kind: "topics" as const, server: server.address, topics: [subscription.topic] },
        filter: NO_FILTER,
      },
    })),
  );
  const servers = app.catalogue.serverGroups
    .filter(({ subscriptions }) => subscriptions.length > 1)
    .map(({ server }) => ({
      key: `server ${String(server.serverId)}`,
      label: serverName(server),
      hint: ofServer,
      mark: { icon: "server" as const },
      part: { view: { kind: "server" as const, server: server.address }, filter: NO_FILTER },
    }));
  return [...lists, ...saved, ...topics, ...servers];
}
