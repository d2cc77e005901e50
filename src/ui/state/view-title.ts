import { addressHost } from "../../protocol";
import { words } from "../words";
import type { App } from "./app.svelte";
import { serverName, topicName } from "./names";
import type { Pane } from "./pane.svelte";

/** What the view is called, in the header and in the window's title. */
export function viewTitle(
  { view, covered, filter }: Pick<Pane, "view" | "covered" | "filter">,
  app: Pick<App, "catalogue" | "savedAs">,
): string {
  const saved = app.savedAs({ view, filter });
  if (saved) return saved.name;
  switch (view.kind) {
    case "everything":
    case "urgent":
    case "starred":
    case "scheduled":
    case "done":
    case "snoozed":
      return words.shell[view.kind];
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
      return others.length ? words.shell.several(first, others.length) : first;
    }
    case "columns":
    case "wall":
      return words.shell[view.kind];
    case "raw":
      return `${view.topic} · ${words.shell.raw}`;
    case "topic-list":
      return words.shell.topics;
    case "settings":
      return words.shell.settings;
    case "bad-link":
      return words.shell.badLink;
  }
}
