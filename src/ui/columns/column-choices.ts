import { encodeValue } from "../../protocol";
import type { FindableEntry } from "../parts/form/search-list";
import type { App } from "../state/app.svelte";
import { OWN_LISTS } from "../parts/own-lists";
import { serverName, topicName } from "../state/topics/names";
import { groupsOf } from "../state/topics/groups";
import { NO_FILTER, routeOf } from "../state/navigation/route";
import { isFeed, type ColumnFeed, type FeedView } from "../state/navigation/view";
import { appStrings, commandStrings, topicStrings } from "../strings";

export interface ColumnChoice extends FindableEntry {
  part: ColumnFeed;
}

/** The key of a group. Its name may have spaces, which separate the words of a key. */
export const groupKey = (name: string): string => `group ${encodeValue(name)}`;

const whole = (view: FeedView): { part: ColumnFeed } => ({ part: { view, filter: NO_FILTER } });

/** The feeds that the user has made: saved views, groups, topics and servers. */
export function ownFeeds(app: App): ColumnChoice[] {
  const { catalogue } = app;
  const { server: ofServer, view: ofView } = commandStrings.palette;
  const saved = catalogue.views.flatMap(({ viewId, name, link }): ColumnChoice[] => {
    const { view, filter } = routeOf(link, app.navigation.home);
    const entry = { key: `view ${String(viewId)}`, label: name, hint: ofView, mark: { icon: "filter" as const } };
    return isFeed(view) ? [{ ...entry, part: { view, filter, saved: name } }] : [];
  });
  const groups = groupsOf(catalogue.settings.groups, catalogue.subscriptions).map(({ name }) => ({
    ...{ key: groupKey(name), label: name, hint: topicStrings.groups.group, mark: { icon: "folder" as const } },
    ...whole({ kind: "group", name }),
  }));
  const topics = catalogue.serverGroups.flatMap(({ server, subscriptions }) =>
    subscriptions.map((subscription) => ({
      key: `topic ${String(subscription.subId)}`,
      label: topicName(subscription),
      hint: serverName(server),
      also: subscription.topic,
      mark: { topic: subscription.topic, colour: subscription.colour, symbol: subscription.icon },
      ...whole({ kind: "topics", server: server.address, topics: [subscription.topic] }),
    })),
  );
  const servers = catalogue.serverGroups.map(({ server }) => ({
    key: `server ${String(server.serverId)}`,
    label: serverName(server),
    hint: ofServer,
    mark: { icon: "server" as const },
    ...whole({ kind: "server", server: server.address }),
  }));
  return [...saved, ...groups, ...topics, ...servers];
}

/** All that a column can show: the app's own lists, and the user's feeds. */
export function columnChoices(app: App): ColumnChoice[] {
  const lists = OWN_LISTS.map(({ kind, icon }) => ({
    ...{ key: kind, label: appStrings.shell[kind], hint: "", mark: { icon } },
    ...whole({ kind }),
  }));
  return [...lists, ...ownFeeds(app)];
}
