import type { IconName } from "../parts/icons";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import type { DialogRequest } from "../state/dialogs.svelte";
import type { FeedView } from "../state/navigation/view";
import { addTopicItem, savedViewMenu, serverMenu, topicMenu } from "../topics/menus";
import { frameStrings, jumpStrings } from "../strings";

/**
 * What a view's menu offers, at most eight entries including those that a phone's header puts first: everything about
 * one saved view, one topic, or one server.
 */
export function viewMenu(app: App, view: FeedView): MenuItem[] {
  const saved = app.navigation.savedAs();
  const own = saved ? savedViewMenu(app, saved) : itemsOf(app, view);
  const isPhone = app.layout.shape === "phone";
  const hasPast = view.kind !== "scheduled" && view.kind !== "snoozed" && !saved;
  const [last] = own.slice(-1).filter(({ apart }) => apart);
  return [
    ...(isPhone && !saved && app.navigation.filter.terms.length > 0
      ? [item(app, "saveView", "filter", { kind: "view" })]
      : []),
    ...own.filter((one) => one !== last),
    item(app, "saveFile", "download", { kind: "save-view" }),
    ...(hasPast
      ? [{ label: jumpStrings.menu, icon: "date" as const, run: () => app.dialogs.open({ kind: "jump" }) }]
      : []),
    item(app, "palette", "prompt", { kind: "commands" }),
    ...(last ? [last] : []),
  ];
}

/** An entry that opens a dialog. */
function item(app: App, id: keyof typeof frameStrings.menu, icon: IconName, dialog: DialogRequest): MenuItem {
  return { label: frameStrings.menu[id], icon, run: () => app.dialogs.open(dialog) };
}

function itemsOf(app: App, view: FeedView): MenuItem[] {
  const { onlyTopic } = app.pane;
  const server = view.kind === "server" && app.catalogue.servers.find(({ address }) => address === view.server);
  const actions = onlyTopic
    ? topicMenu(app, onlyTopic)
    : [...(server ? serverMenu(app, server) : []), addTopicItem(app)];
  return actions.filter((action) => !("seldom" in action));
}
