import type { ViewRecord } from "../../client";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import type { FeedView } from "../state/view";
import type * as SavedViews from "../views/saved-views";
import { viewTitle } from "../state/view-title";
import { addTopicItem, serverMenu, topicMenu } from "../topics/menus";
import { deferredShellStrings } from "../strings/deferred-shell";
import { jumpStrings } from "../strings/jump";

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
 * Adds the QR code, the way to a file, the jump to a date, not for lists of future messages, and the palette, before the entry that removes the view.
 */
function withCommon(app: App, { kind }: FeedView, items: MenuItem[]): MenuItem[] {
  const jump: MenuItem = { label: jumpStrings.menu, icon: "clock", run: () => app.dialogs.open({ kind: "jump" }) };
  const qr: MenuItem = {
    label: deferredShellStrings.qrCode,
    icon: "share",
    seldom: true,
    run: () => app.dialogs.open({ kind: "share", title: viewTitle(app.pane, app), url: app.navigation.linkTo() }),
  };
  const file: MenuItem = {
    label: deferredShellStrings.menu.saveFile,
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
    label: deferredShellStrings.menu.palette,
    icon: "search",
    run: () => app.dialogs.open({ kind: "commands" }),
  };
}

/** Saves the view as it is. */
export function saveItem(app: App): MenuItem {
  return { label: deferredShellStrings.menu.saveView, icon: "filter", run: () => app.dialogs.open({ kind: "view" }) };
}

function savedMenu(app: App, { viewId }: ViewRecord): MenuItem[] {
  const change = async (work: (views: typeof SavedViews) => Promise<void>) =>
    work(await import("../views/saved-views"));
  const strings = deferredShellStrings.menu;
  return [
    { label: strings.renameView, icon: "edit", run: () => app.dialogs.open({ kind: "view", viewId }) },
    { label: strings.up, icon: "up", run: () => void change(({ moveView }) => moveView(app, viewId, -1)) },
    { label: strings.down, icon: "down", run: () => void change(({ moveView }) => moveView(app, viewId, 1)) },
    {
      label: strings.removeView,
      icon: "trash",
      apart: true,
      run: () => void change(({ removeView }) => removeView(app, viewId)),
    },
  ];
}

function itemsOf(app: App, view: FeedView): MenuItem[] {
  const [subscription, another] = app.pane.covered;
  if (view.kind === "topics" && subscription && !another) return topicMenu(app, subscription);
  const server = view.kind === "server" && app.catalogue.servers.find(({ address }) => address === view.server);
  return server ? [...serverMenu(app, server), addTopicItem(app)] : [addTopicItem(app)];
}
