import { addressHost } from "../../protocol";
import { appStrings } from "../strings";
import type { App } from "./app.svelte";
import { serverName, topicName } from "./names";
import type { Pane } from "./pane.svelte";

/** The title of the view, for the header and the window. */
export function viewTitle(
  { view, covered, filter }: Pick<Pane, "view" | "covered" | "filter">,
  app: Pick<App, "catalogue" | "navigation">,
): string {
  const saved = app.navigation.savedAs({ view, filter });
  if (saved) return saved.name;
  switch (view.kind) {
    case "everything":
    case "urgent":
    case "starred":
    case "scheduled":
    case "done":
    case "snoozed":
      return appStrings.shell[view.kind];
    case "server": {
      const server = app.catalogue.servers.find(({ address }) => address === view.server);
      return server ? serverName(server) : addressHost(view.server);
    }
    case "topics": {
      const names = view.topics.map((topic) => {
        const subscription = covered.find((candidate) => candidate.topic === topic);
        return subscription ? topicName(subscription) : topic;
      });
      const [first = "", ...others] = names;
      return others.length ? appStrings.shell.several(first, others.length) : first;
    }
    case "columns":
    case "wall":
      return appStrings.shell[view.kind];
    case "raw":
      return `${view.topic} · ${appStrings.shell.raw}`;
    case "topic-list":
      return appStrings.shell.topics;
    case "settings":
      return appStrings.shell.settings;
    case "bad-link":
      return appStrings.shell.badLink;
  }
}
