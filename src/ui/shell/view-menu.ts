import type { ViewRecord } from "../../client";
import type { IconName } from "../parts/icons";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import type { DialogRequest } from "../state/dialogs.svelte";
import type { FeedView } from "../state/navigation/view";
import { moveView, removeView } from "../views/saved-views";
import { viewTitle } from "../state/navigation/view-title";
import { addTopicItem, serverMenu, topicMenu } from "../topics/menus";
import { frameStrings, jumpStrings } from "../strings";

/** What the menu of a view offers: everything about one saved view, about one topic, or about one server. */
export function viewMenu(app: App, view: FeedView): MenuItem[] {
  const saved = app.navigation.savedAs();
  if (saved) return withCommon(app, view, savedMenu(app, saved));
  const [first, ...items] = withCommon(app, view, itemsOf(app, view));
  if (!first || app.navigation.filter.terms.length === 0) return first ? [first, ...items] : items;
  return [item(app, "saveView", "filter", { kind: "view" }), { ...first, apart: true }, ...items];
}

/** An entry that opens a dialog. */
function item(app: App, id: keyof typeof frameStrings.menu, icon: IconName, dialog: DialogRequest): MenuItem {
  return { label: frameStrings.menu[id], icon, run: () => app.dialogs.open(dialog) };
}

/**
 * Adds the QR code, export, jump to a date (not for lists of future messages) and palette, before the entry that
 * removes the view.
 */
function withCommon(app: App, { kind }: FeedView, items: MenuItem[]): MenuItem[] {
  const share = (): DialogRequest => ({ kind: "share", title: viewTitle(app.pane, app), url: app.navigation.linkTo() });
  const jump: MenuItem = { label: jumpStrings.menu, icon: "clock", run: () => app.dialogs.open({ kind: "jump" }) };
  const common: MenuItem[] = [
    { label: frameStrings.qrCode, icon: "share", seldom: true, run: () => app.dialogs.open(share()) },
    item(app, "saveFile", "download", { kind: "save-view" }),
    ...(kind === "scheduled" || kind === "snoozed" ? [] : [jump]),
    item(app, "palette", "search", { kind: "commands" }),
  ];
  const end = items.at(-1)?.apart === true ? items.length - 1 : items.length;
  return items.toSpliced(end, 0, ...common);
}

function savedMenu(app: App, { viewId }: ViewRecord): MenuItem[] {
  const { up, down, removeView: remove } = frameStrings.menu;
  return [
    item(app, "renameView", "edit", { kind: "view", viewId }),
    { label: up, icon: "up", run: () => void moveView(app, viewId, -1) },
    { label: down, icon: "down", run: () => void moveView(app, viewId, 1) },
    { label: remove, icon: "trash", apart: true, run: () => void removeView(app, viewId) },
  ];
}

function itemsOf(app: App, view: FeedView): MenuItem[] {
  const [subscription, another] = app.pane.covered;
  if (view.kind === "topics" && subscription && !another) return topicMenu(app, subscription);
  const server = view.kind === "server" && app.catalogue.servers.find(({ address }) => address === view.server);
  return server ? [...serverMenu(app, server), addTopicItem(app)] : [addTopicItem(app)];
}
