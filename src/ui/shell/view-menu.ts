import type { ViewRecord } from "../../client";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import type { FeedView } from "../state/navigation/view";
import { moveView, removeView } from "../views/saved-views";
import { viewTitle } from "../state/navigation/view-title";
import { addTopicItem, serverMenu, topicMenu } from "../topics/menus";
import { frameStrings, jumpStrings } from "../strings";

/** What the menu of a view offers: everything about one saved view, about one topic, or about one server. */
export function viewMenu(app: App, view: FeedView): MenuItem[] {
  const items = withCommon(app, view, itemsOf(app, view));
  const saved = app.navigation.savedAs();
  if (saved) return withCommon(app, view, savedMenu(app, saved));
  return app.navigation.filter.terms.length > 0
    ? [saveItem(app), ...items.with(0, { ...items[0], apart: true } as MenuItem)]
    : items;
}

/**
 * Adds the QR code, export, jump to a date (not for lists of future messages) and palette, before the entry that
 * removes the view.
 */
function withCommon(app: App, { kind }: FeedView, items: MenuItem[]): MenuItem[] {
  const jump: MenuItem = { label: jumpStrings.menu, icon: "clock", run: () => app.dialogs.open({ kind: "jump" }) };
  const qr: MenuItem = {
    label: frameStrings.qrCode,
    icon: "share",
    seldom: true,
    run: () => app.dialogs.open({ kind: "share", title: viewTitle(app.pane, app), url: app.navigation.linkTo() }),
  };
  const file: MenuItem = {
    label: frameStrings.menu.saveFile,
    icon: "download",
    run: () => app.dialogs.open({ kind: "save-view" }),
  };
  const isToCome = kind === "scheduled" || kind === "snoozed";
  const end = items.at(-1)?.apart === true ? items.length - 1 : items.length;
  return items.toSpliced(end, 0, qr, file, ...(isToCome ? [] : [jump]), paletteItem(app));
}

/** Opens the palette. */
function paletteItem(app: App): MenuItem {
  return {
    label: frameStrings.menu.palette,
    icon: "search",
    run: () => app.dialogs.open({ kind: "commands" }),
  };
}

/** Saves the view as it is. */
export function saveItem(app: App): MenuItem {
  return { label: frameStrings.menu.saveView, icon: "filter", run: () => app.dialogs.open({ kind: "view" }) };
}

function savedMenu(app: App, { viewId }: ViewRecord): MenuItem[] {
  const strings = frameStrings.menu;
  return [
    { label: strings.renameView, icon: "edit", run: () => app.dialogs.open({ kind: "view", viewId }) },
    { label: strings.up, icon: "up", run: () => void moveView(app, viewId, -1) },
    { label: strings.down, icon: "down", run: () => void moveView(app, viewId, 1) },
    {
      label: strings.removeView,
      icon: "trash",
      apart: true,
      run: () => void removeView(app, viewId),
    },
  ];
}

function itemsOf(app: App, view: FeedView): MenuItem[] {
  const [subscription, another] = app.pane.covered;
  if (view.kind === "topics" && subscription && !another) return topicMenu(app, subscription);
  const server = view.kind === "server" && app.catalogue.servers.find(({ address }) => address === view.server);
  return server ? [...serverMenu(app, server), addTopicItem(app)] : [addTopicItem(app)];
}
