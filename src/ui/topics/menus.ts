// The actions of a topic, a server, a group, a saved view and what is shown, for menus and the palette.
import { isMuted } from "../../contract";
import type { ServerRecord, SubscriptionRecord, ViewRecord } from "../../client";
import { lookForMissing } from "../feed/look-for-missing";
import { dropGroup, stepGroupBy, stepTopicBy } from "./arrange";
import { toggleMute } from "../alerts/mute";
import type { IconName } from "../parts/icons";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import { curlLine } from "../state/shell-line";
import { copyText } from "../state/navigation/share";
import type { FeedView } from "../state/navigation/view";
import { topicName } from "../state/topics/names";
import { appStrings, frameStrings, jumpStrings } from "../strings";
import { moveView, removeView } from "../views/saved-views";
import { signOut } from "./server/sign-in.svelte";

/** An action with a name that stays the same in every language. */
export interface MenuAction extends MenuItem {
  id: keyof (typeof frameStrings)["menu"];
  /** Whether it is in the settings instead of the menu, so that the menu stays short. */
  seldom?: true;
}

export function topicMenu(app: App, subscription: SubscriptionRecord): MenuAction[] {
  const { subId, serverId, topic } = subscription;
  const server = app.catalogue.server(serverId);
  const own = [
    item("topic", "edit", () => app.dialogs.open({ kind: "topic", subId })),
    item("refresh", "refresh", () => void lookForMissing(app, [{ serverId, subId }])),
    isMuted(subscription.mutedUntilMs, app.clock.minuteMs)
      ? item("unmute", "bell", () => void toggleMute(app, subscription))
      : item("mute", "bell-off", () => void toggleMute(app, subscription)),
    ...seldom(
      item("pictures", "image", () => app.dialogs.open({ kind: "pictures", subId })),
      item("publish", "send", () => app.dialogs.open({ kind: "publish", subId })),
      item("up", "up", () => void stepTopicBy(app, subId, -1)),
      item("down", "down", () => void stepTopicBy(app, subId, 1)),
      item("group", "folder", () => app.dialogs.open({ kind: "group", of: subId })),
    ),
  ];
  const onServer = server
    ? seldom(
        item("curl", "code", () => void copyText(app, curlLine(server.address, topic))),
        item("raw", "log", () => app.navigation.go({ kind: "raw", server: server.address, topic })),
        ...serverMenu(app, server).filter(({ id }) => id === "server" || id === "connection"),
      )
    : [];
  return [...own, ...onServer, ...seldom(item("remove", "trash", () => void unsubscribe(app, subscription)))];
}

function seldom(...items: MenuAction[]): MenuAction[] {
  return items.map((action) => ({ ...action, seldom: true as const }));
}

export function serverMenu(app: App, { serverId }: ServerRecord): MenuAction[] {
  const isSignedIn = app.catalogue.tables.accounts.some((account) => account.serverId === serverId);
  return [
    item("server", "server", () => app.dialogs.open({ kind: "server", serverId })),
    item("refresh", "refresh", () => void lookForMissing(app, [{ serverId }])),
    ...seldom(
      item("connection", "info", () => app.dialogs.open({ kind: "connection", serverId })),
      item("move", "server", () => app.dialogs.open({ kind: "move-server", serverId })),
      item("signIn", "key", () => app.dialogs.open({ kind: "sign-in", serverId })),
    ),
    ...(isSignedIn
      ? seldom(
          item("account", "list", () => app.dialogs.open({ kind: "account-topics", serverId })),
          item("signOut", "key", () => void signOut(app, serverId)),
        )
      : []),
  ];
}

export function groupMenu(app: App, name: string): MenuAction[] {
  return [
    item("rename", "edit", () => app.dialogs.open({ kind: "group", of: name })),
    item("up", "up", () => void stepGroupBy(app, name, -1)),
    item("down", "down", () => void stepGroupBy(app, name, 1)),
    { ...item("ungroup", "trash", () => void dropGroup(app, name)), apart: true },
  ];
}

export function savedViewMenu(app: App, { viewId }: ViewRecord): MenuAction[] {
  return [
    item("renameView", "edit", () => app.dialogs.open({ kind: "view", viewId })),
    item("up", "up", () => void moveView(app, viewId, -1)),
    item("down", "down", () => void moveView(app, viewId, 1)),
    { ...item("removeView", "trash", () => void removeView(app, viewId)), apart: true },
  ];
}

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
      ? [item("saveView", "filter", () => app.dialogs.open({ kind: "view" }))]
      : []),
    ...own.filter((one) => one !== last),
    item("saveFile", "download", () => app.dialogs.open({ kind: "save-view" })),
    ...(hasPast
      ? [{ label: jumpStrings.menu, icon: "date" as const, run: () => app.dialogs.open({ kind: "jump" }) }]
      : []),
    item("palette", "prompt", () => app.dialogs.open({ kind: "commands" })),
    ...(last ? [last] : []),
  ];
}

function itemsOf(app: App, view: FeedView): MenuItem[] {
  const { onlyTopic } = app.pane;
  if (onlyTopic) return topicMenu(app, onlyTopic).filter(({ seldom }) => !seldom);
  const server = view.kind === "server" && app.catalogue.serverAt(view.server);
  return [
    ...(server ? serverMenu(app, server).filter(({ seldom }) => !seldom) : []),
    { label: appStrings.shell.addTopic, icon: "plus", run: () => app.dialogs.open({ kind: "add-topic" }) },
  ];
}

function item(id: MenuAction["id"], icon: IconName, run: () => void): MenuAction {
  return { id, label: frameStrings.menu[id], icon, run };
}

/** Hides a topic. It is deleted with its messages after the undo time; until then, undo restores both. */
export async function unsubscribe(app: App, subscription: SubscriptionRecord): Promise<void> {
  const { subId } = subscription;
  const { view, filter } = app.navigation;
  const leaves = view.kind === "topics" && app.pane.covered.some((topic) => topic.subId === subId);
  // Leave first: a view of a removed topic would ask whether to subscribe to it.
  if (leaves) app.navigation.go({ kind: "everything" });
  if (!(await app.attempt("unsubscribe", { subId }))) return;
  app.notices.show({
    text: appStrings.shell.removed({ topic: topicName(subscription) }),
    undo: () => void restore(app, subId, () => leaves && app.navigation.go(view, filter)),
  });
}

/** @param goBack called once it is back, if the user is still where its removal led */
async function restore(app: App, subId: number, goBack: () => void): Promise<void> {
  if (!(await app.attempt("restoreSubscription", { subId }))) return;
  await app.catalogue.readAgain();
  if (app.navigation.view.kind === "everything") goBack();
}
