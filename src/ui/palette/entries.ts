import type { ServerRecord, SubscriptionRecord } from "../../client";
import { foldText, parseFilter, type Filter } from "../../contract";
import { groupKey, ownFeeds } from "../columns/column-choices";
import { isPossible, type Situation } from "../commands/command";
import { COMMANDS } from "../commands/table";
import { allOf, markAllRead } from "../message/marks";
import { originOf, placedName } from "../message/origin";
import type { IconName } from "../parts/icons";
import { findEntries, MAX_LISTED, wordsOf, type FindableEntry } from "../parts/form/search-list";
import { settingPlaces, wordsAt } from "../settings/setting-places";
import { goToSetting } from "../settings/sought.svelte";
import type { App } from "../state/app.svelte";
import { keep, kept } from "../state/device-storage";
import { groupsOf } from "../state/topics/groups";
import { serverName, topicName } from "../state/topics/names";
import { shareLink } from "../state/navigation/share";
import { isFeed } from "../state/navigation/view";
import { alertRuleStrings, commandStrings, frameStrings, settingsStrings } from "../strings";
import { groupMenu, savedViewMenu, serverMenu, topicMenu, type MenuAction } from "../topics/menus";

const KEY = "earshot-recent";

/** How many recent entries come first: as many as are taken in at a glance. */
const MOST = 6;

/** Keys of the palette entries chosen last, newest first. */
export function recentKeys(): string[] {
  return (kept(KEY) ?? "").split("\n").filter(Boolean).slice(0, MOST);
}

export function noteRecent(key: string): void {
  const others = recentKeys().filter((other) => other !== key);
  keep(KEY, [key, ...others].slice(0, MOST).join("\n"));
}

export interface Entry extends FindableEntry {
  run: () => void;
}

/** The most topics, and servers, whose actions are searched, those named by the query first. */
const MAX_ACTED_ON = 20;

/** Actions that make sense only where their list is visible. */
const ONLY_IN_SIGHT: readonly MenuAction["id"][] = ["up", "down"];

/**
 * The palette for the current situation. Without words it lists recent entries, commands and views, then topics,
 * servers and settings; words also find actions of topics, servers, saved views and groups, and last a search for them.
 * @param recent keys of recent entries, newest first
 */
export function palette(situation: Situation, recent: readonly string[]): (query: string) => Entry[] {
  const { app } = situation;
  const all = [
    ...commandEntries(situation),
    ...thisViewEntries(app),
    ...ownFeeds(app).map(({ part, ...entry }) => ({
      ...entry,
      run: () => app.navigation.go(part.view, part.filter),
    })),
    ...settingEntries(app),
  ];
  const ofViewsAndGroups = [
    ...app.catalogue.views.flatMap((view) =>
      actionEntries(savedViewMenu(app, view), `view ${String(view.viewId)}`, view.name),
    ),
    ...actionsOfGroups(app),
  ];
  /** Recent actions too, if their topics and servers still exist. */
  const used = recent.flatMap((key) => {
    const [kind, id, action] = key.split(" ");
    const known = [
      ...all,
      ...ofViewsAndGroups,
      ...(action && kind === "topic" ? actionsOfTopic(app, app.catalogue.subscription(Number(id))) : []),
      ...(action && kind === "server" ? actionsOfServer(app, app.catalogue.server(Number(id))) : []),
    ].find((entry) => entry.key === key);
    return known ? [known] : [];
  });

  const topicNames = new Map(
    app.catalogue.subscriptions.map((one) => [one.subId, foldText(`${topicName(one)} ${one.topic}`)]),
  );

  return (query) => {
    const words = wordsOf(query);
    if (words.length === 0) return once([...used, ...all]);
    const servers = app.catalogue.serverGroups.map(({ server }) => server);
    const inSight = app.pane.covered;
    const entries = once([
      ...used,
      ...(inSight.length === 1 ? actionsOfTopic(app, inSight[0]) : []),
      ...all,
      ...ofViewsAndGroups,
      ...likeliest(app.catalogue.subscriptions, words, ({ subId }) => topicNames.get(subId) ?? "", inSight).flatMap(
        (subscription) => actionsOfTopic(app, subscription),
      ),
      ...likeliest(servers, words, (server) => foldText(serverName(server))).flatMap((server) =>
        actionsOfServer(app, server),
      ),
    ]);
    return [...findEntries(entries, query).slice(0, MAX_LISTED - 1), searchEntry(app, query.trim())];
  };
}

/** Each entry once, where it stands first. */
function once(entries: readonly Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ key }) => !seen.has(key) && seen.add(key));
}

/** Those whose folded name has the most of the words; among equals, visible ones first. */
function likeliest<Thing>(
  things: readonly Thing[],
  words: readonly string[],
  nameOf: (thing: Thing) => string,
  inSight: readonly Thing[] = [],
): Thing[] {
  const seen = new Set(inSight);
  return things
    .map((thing) => {
      const name = nameOf(thing);
      const hits = words.filter((word) => name.includes(word)).length;
      return { thing, rank: hits + (seen.has(thing) ? 0.5 : 0) };
    })
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_ACTED_ON)
    .map(({ thing }) => thing);
}

function commandEntries(situation: Situation): Entry[] {
  const { singleKeys } = situation.app.catalogue.settings;
  const { names, palette: strings } = commandStrings;
  const also: Partial<Record<string, string>> = strings.also.commands;
  return COMMANDS.filter((command) => !command.isKeyOnly && isPossible(command, situation)).map((command) => ({
    key: command.id,
    label: names[command.id],
    hint: command.group === "go" ? strings.goTo : "",
    also: also[command.id] ?? "",
    mark: { icon: command.icon },
    keys: singleKeys ? command.keys[0] : undefined,
    run: () => command.run(situation),
  }));
}

/** The current view's entries of the general view menu; the rest are commands. */
function thisViewEntries(app: App): Entry[] {
  if (!isFeed(app.navigation.view)) return [];
  const { menu } = frameStrings;
  return [
    line("saveView", menu.saveView, "", "filter", () => app.dialogs.open({ kind: "view" })),
    line("saveFile", menu.saveFile, "", "download", () => app.dialogs.open({ kind: "save-view" })),
  ];
}

function actionsOfGroups(app: App): Entry[] {
  return groupsOf(app.catalogue.settings.groups, app.catalogue.subscriptions).flatMap(({ name, subscriptions }) => {
    const key = groupKey(name);
    return [
      line(`${key} markRead`, frameStrings.markRead, name, "check-all", () => markAllRead(app, allOf(subscriptions))),
      ...actionEntries(groupMenu(app, name), key, name),
    ];
  });
}

function line(key: string, label: string, hint: string, icon: IconName, run: () => unknown): Entry {
  return { key, label, hint, mark: { icon }, run: () => void run() };
}

function settingEntries(app: App): Entry[] {
  const { names } = commandStrings;
  return settingPlaces().map((named) => ({
    key: `setting ${named.place}`,
    label: named.label,
    hint: `${names.settings} · ${settingsStrings.pages[named.page]}`,
    also: wordsAt(named),
    mark: { icon: "settings" },
    run: () => goToSetting(app, named.place, named.page),
  }));
}

/** The actions of a topic's menu and of its view's header. */
function actionsOfTopic(app: App, subscription: SubscriptionRecord | undefined): Entry[] {
  if (!subscription) return [];
  const { subId, topic } = subscription;
  const name = topicName(subscription);
  const hint = placedName(app.catalogue, subId);
  const key = `topic ${String(subId)}`;
  const link = app.navigation.href(app.navigation.viewOf(subId));
  return [
    ...actionEntries(topicMenu(app, subscription), key, name, originOf(app.catalogue, subId)?.serverName, topic),
    line(`${key} markRead`, frameStrings.markRead, hint, "check-all", () => markAllRead(app, allOf([subscription]))),
    line(`${key} share`, frameStrings.share, hint, "share", () =>
      shareLink(app, name, new URL(link, location.href).href),
    ),
  ];
}

/** The actions of a server, and of its view's header. */
function actionsOfServer(app: App, server: ServerRecord | undefined): Entry[] {
  if (!server) return [];
  const { serverId } = server;
  const key = `server ${String(serverId)}`;
  const name = serverName(server);
  const topics = app.catalogue.subscriptions.filter((one) => one.serverId === serverId);
  return [
    ...actionEntries(serverMenu(app, server), key, name),
    line(`${key} markRead`, frameStrings.markRead, name, "check-all", () => markAllRead(app, allOf(topics))),
  ];
}

/** The entries of a menu of `name`. @param on the server that tells it apart from others of that name */
function actionEntries(actions: readonly MenuAction[], key: string, name: string, on = "", also = ""): Entry[] {
  const words: Partial<Record<MenuAction["id"], string>> = commandStrings.palette.also.actions;
  /** Many topics have these, and a column of the same words says nothing. */
  const named: Partial<Record<MenuAction["id"], (values: { name: string }) => string>> = {
    mute: commandStrings.palette.mute,
    unmute: alertRuleStrings.muteAll.endOf,
  };
  return actions
    .filter(({ id }) => !ONLY_IN_SIGHT.includes(id))
    .map(({ id, label, icon, run }) => ({
      key: `${key} ${id}`,
      label: named[id]?.({ name }) ?? label,
      hint: named[id] ? on : [name, on].filter(Boolean).join(" · "),
      also: `${also} ${words[id] ?? ""}`,
      mark: { icon },
      run,
    }));
}

function searchEntry(app: App, query: string): Entry {
  const label = commandStrings.palette.searchFor({ words: query });
  return line("search messages", label, "", "search", () => app.navigation.go({ kind: "everything" }, filterOf(query)));
}

/** The filter expressed by the words; if they can't be parsed, they are searched for literally. */
function filterOf(query: string): Filter {
  const read = parseFilter(query);
  return read.ok ? read.value : { terms: [{ kind: "text", text: query, not: false }] };
}
