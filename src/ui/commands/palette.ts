import type { Found } from "../parts/search-list";
import { serverName, topicName } from "../state/names";
import { routeOf } from "../state/route";
import { commandStrings } from "../strings/commands";
import { isPossible, type Situation } from "./command";
import { COMMANDS } from "./table";

/** A line of the palette. */
export interface Entry extends Found {
  run: () => void;
}

/** All entries of the palette: commands that apply now, the app's pages and lists, saved views, topics and servers. */
export function paletteEntries(situation: Situation): Entry[] {
  const { app } = situation;
  const { singleKeys } = app.catalogue.settings;
  const { names, palette } = commandStrings;
  const commands = COMMANDS.filter((command) => !command.isKeyOnly && isPossible(command, situation)).map(
    (command): Entry => ({
      key: command.id,
      label: names[command.id],
      hint: command.group === "go" ? palette.goTo : "",
      mark: { icon: command.icon },
      keys: singleKeys ? command.keys[0] : undefined,
      run: () => command.run(situation),
    }),
  );
  const topics = app.catalogue.subscriptions.map((subscription): Entry => ({
    key: `topic ${String(subscription.subId)}`,
    label: topicName(subscription),
    hint: serverNameOf(situation, subscription.serverId),
    mark: { topic: subscription.topic, colour: subscription.colour, symbol: subscription.icon },
    run: () => app.navigation.go(app.navigation.viewOf(subscription.subId)),
  }));
  const views = app.catalogue.views.map((saved): Entry => ({
    key: `view ${String(saved.viewId)}`,
    label: saved.name,
    hint: palette.view,
    mark: { icon: "filter" },
    run: () => {
      const { view, filter } = routeOf(saved.link, app.home);
      app.navigation.go(view, filter);
    },
  }));
  const servers = app.catalogue.serverGroups.map(({ server }): Entry => ({
    key: `server ${String(server.serverId)}`,
    label: serverName(server),
    hint: palette.server,
    mark: { icon: "server" },
    run: () => app.navigation.go({ kind: "server", server: server.address }),
  }));
  return [...commands, ...views, ...topics, ...servers];
}

function serverNameOf({ app }: Situation, serverId: number): string {
  const server = app.catalogue.server(serverId);
  return server ? serverName(server) : "";
}
