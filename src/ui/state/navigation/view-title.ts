import { addressHost } from "../../../protocol";
import { appStrings, frameStrings, list } from "../../strings";
import type { App } from "../app.svelte";
import { serverName, topicName } from "../topics/names";
import type { Pane } from "./pane.svelte";

/** The most topics that a title names. */
const MAX_NAMED = 4;

export function viewTitle(
  { view, covered, filter }: Pick<Pane, "view" | "covered" | "filter">,
  app: Pick<App, "catalogue" | "navigation">,
): string {
  const saved = app.navigation.savedAs({ view, filter });
  if (saved) return saved.name;
  switch (view.kind) {
    case "server": {
      const server = app.catalogue.serverAt(view.server);
      return server ? serverName(server) : addressHost(view.server);
    }
    case "group":
      return view.name;
    case "topics":
    case "several": {
      const names = (view.kind === "topics" ? [view] : view.parts).flatMap(({ server, topics }) => {
        const serverId = app.catalogue.serverAt(server)?.serverId;
        return topics.map((topic) => {
          const subscription = covered.find((one) => one.topic === topic && one.serverId === serverId);
          return subscription ? topicName(subscription) : topic;
        });
      });
      if (names.length <= MAX_NAMED) return list(names);
      const { comma, several } = appStrings.shell;
      return several({ names: names.slice(0, MAX_NAMED).join(comma), count: names.length - MAX_NAMED });
    }
    case "raw":
      return `${view.topic} · ${appStrings.shell.raw}`;
    case "topic-list":
      return appStrings.shell.topics;
    case "open-link":
      return appStrings.shell.addTopic;
    case "bad-link":
      return appStrings.shell.badLink;
    case "high":
      return frameStrings.high;
    default:
      return appStrings.shell[view.kind];
  }
}
