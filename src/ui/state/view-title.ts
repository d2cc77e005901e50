import type { Catalogue } from "../../client";
import { addressHost } from "../../protocol";
import { words } from "../words";
import { serverName, topicName } from "./names";
import type { Pane } from "./pane.svelte";

/** What the view is called, in the header and in the window's title. */
export function viewTitle(
  { view, covered }: Pick<Pane, "view" | "covered">,
  { servers }: Pick<Catalogue, "servers">,
): string {
  switch (view.kind) {
    case "everything":
    case "urgent":
    case "starred":
    case "scheduled":
    case "done":
    case "snoozed":
      return words.shell[view.kind];
    case "server": {
      const server = servers.find(({ address }) => address === view.server);
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
      return words.shell.badLink.heading;
  }
}
