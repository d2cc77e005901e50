import type { ServerRecord, SubscriptionRecord, ViewRecord } from "../../client";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import { curlLine } from "../state/curl-line";
import { copyText } from "../state/share";
import { isMuted } from "../state/muted";
import type { FeedView } from "../state/view";
import type * as SavedViews from "../views/saved-views";
import { unsubscribe } from "../topics/subscriptions";
import { appStrings } from "../strings";
import { deferredShellStrings } from "../strings/deferred-shell";
import { jumpStrings } from "../strings/jump";

/** What the menu of a view offers: everything about one saved view, about one topic, or about one server. */
export function viewMenu(app: App, view: FeedView): MenuItem[] {
  const items = withJump(app, view, itemsOf(app, view));
  const saved = app.navigation.savedAs();
  if (saved) return withJump(app, view, savedMenu(app, saved));
  return app.navigation.filter.terms.length > 0
    ? [saveItem(app), ...items.with(0, { ...items[0], apart: true } as MenuItem)]
    : items;
}

/** Adds the jump to a date before the entry that removes the view; not for lists of future messages. */
function withJump(app: App, { kind }: FeedView, items: MenuItem[]): MenuItem[] {
  if (kind === "scheduled" || kind === "snoozed") return items;
  const jump: MenuItem = { label: jumpStrings.menu, icon: "clock", run: () => app.dialogs.open({ kind: "jump" }) };
  const end = items.at(-1)?.apart === true ? items.length - 1 : items.length;
  return items.toSpliced(end, 0, jump);
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
  return server
    ? serverMenu(app, server)
    : [{ label: appStrings.shell.addTopic, icon: "plus", run: () => addTopic(app) }];
}

function addTopic(app: App): void {
  app.dialogs.open({ kind: "add-topic" });
}

function topicMenu(app: App, subscription: SubscriptionRecord): MenuItem[] {
  const { subId, serverId, topic } = subscription;
  const server = app.catalogue.server(serverId);
  const own: MenuItem[] = [
    { label: deferredShellStrings.menu.publish, icon: "send", run: () => app.dialogs.open({ kind: "publish", subId }) },
    { label: deferredShellStrings.menu.topic, icon: "edit", run: () => app.dialogs.open({ kind: "topic", subId }) },
    { label: deferredShellStrings.menu.refresh, icon: "refresh", run: () => void refresh(app, serverId, subId) },
    isMuted(subscription.mutedUntilMs, app.clock.minuteMs)
      ? { label: deferredShellStrings.menu.unmute, icon: "bell", run: () => void unmute(app, subId) }
      : {
          label: deferredShellStrings.menu.mute,
          icon: "bell-off",
          run: () => app.dialogs.open({ kind: "mute", subId }),
        },
    { label: deferredShellStrings.menu.up, icon: "up", run: () => void step(app, subId, -1) },
    { label: deferredShellStrings.menu.down, icon: "down", run: () => void step(app, subId, 1) },
    { label: deferredShellStrings.menu.group, icon: "list", run: () => app.dialogs.open({ kind: "group", of: subId }) },
  ];
  const onServer: MenuItem[] = server
    ? [
        {
          label: deferredShellStrings.menu.curl,
          icon: "code",
          run: () =>
            void copyText(app, curlLine(server.address, topic), {
              heading: deferredShellStrings.curlHeading,
              done: deferredShellStrings.curlCopied,
            }),
        },
        {
          label: deferredShellStrings.menu.raw,
          icon: "list",
          run: () => app.navigation.go({ kind: "raw", server: server.address, topic }),
        },
        {
          label: deferredShellStrings.menu.server,
          icon: "server",
          run: () => app.dialogs.open({ kind: "server", serverId }),
        },
        connectionItem(app, serverId),
      ]
    : [];
  return [
    ...own,
    ...onServer,
    {
      label: deferredShellStrings.menu.remove,
      icon: "trash",
      apart: true,
      run: () => void unsubscribe(app, subscription),
    },
  ];
}

function serverMenu(app: App, { serverId }: ServerRecord): MenuItem[] {
  return [
    {
      label: deferredShellStrings.menu.server,
      icon: "server",
      run: () => app.dialogs.open({ kind: "server", serverId }),
    },
    connectionItem(app, serverId),
    {
      label: deferredShellStrings.menu.signIn,
      icon: "key",
      run: () => app.dialogs.open({ kind: "sign-in", serverId }),
    },
    { label: deferredShellStrings.menu.refresh, icon: "refresh", run: () => void refresh(app, serverId) },
    { label: appStrings.shell.addTopic, icon: "plus", run: () => addTopic(app) },
  ];
}

function connectionItem(app: App, serverId: number): MenuItem {
  return {
    label: deferredShellStrings.menu.connection,
    icon: "info",
    run: () => app.dialogs.open({ kind: "connection", serverId }),
  };
}

async function unmute(app: App, subId: number): Promise<void> {
  await app.attempt("patchSubscription", { subId, patch: { mutedUntilMs: null } });
}

async function step(app: App, subId: number, by: -1 | 1): Promise<void> {
  const { stepTopicBy } = await import("../topics/arrange");
  await stepTopicBy(app, subId, by);
}

async function refresh(app: App, serverId: number, subId?: number): Promise<void> {
  const { lookForMissing } = await import("../feed/look-for-missing");
  await lookForMissing(app, [{ serverId, subId }]);
}
