import type { SubscriptionRecord } from "../../client";
import type { Arrangement, TopicGroup } from "../../contract";
import type { App } from "../state/app.svelte";
import { rewriteLinks } from "../state/host";
import type { ColumnFeed } from "../state/navigation/view";
import { groupsOf } from "../state/topics/groups";
import { topicName } from "../state/topics/names";
import { placedBefore, stepped } from "../state/topics/order";
import { topicStrings } from "../strings";

/**
 * Pure changes to the order of groups and topics. All topics are in one list; only their order within a group, or
 * within a server's ungrouped topics, is visible.
 */
export interface TopicOrder extends Arrangement {
  topics: { subId: number; serverId: number; group: string | null }[];
}

export function currentOrder(groups: readonly TopicGroup[], subscriptions: readonly SubscriptionRecord[]): TopicOrder {
  return {
    groups: groupsOf(groups, subscriptions).map(({ name, collapsed }) => ({ name, ...(collapsed && { collapsed }) })),
    topics: subscriptions.map(({ subId, serverId, group }) => ({ subId, serverId, group: group ?? null })),
  };
}

/** Puts a topic into a group (null = none), before another topic or last. */
export function moveTopic(order: TopicOrder, subId: number, group: string | null, before?: number): TopicOrder {
  const find = (sought?: number) => order.topics.find((other) => other.subId === sought);
  const topic = find(subId);
  if (!topic || before === subId) return order;
  const topics = placedBefore(order.topics, topic, find(before));
  return { ...order, topics: topics.with(topics.indexOf(topic), { ...topic, group }) };
}

/** Moves a topic by one place. At the end of its group it moves into the next one; its server's own list comes last. */
export function stepTopic(order: TopicOrder, subId: number, by: -1 | 1): TopicOrder {
  const topic = order.topics.find((other) => other.subId === subId);
  if (!topic) return order;
  const inGroup = (group: string | null) =>
    order.topics.filter((other) => other.group === group && (group !== null || other.serverId === topic.serverId));
  const here = inGroup(topic.group);
  const at = here.indexOf(topic);
  if (here[at + by]) return moveTopic(order, subId, topic.group, by < 0 ? here[at - 1]?.subId : here[at + 2]?.subId);
  const groups = [...order.groups.map(({ name }) => name), null];
  const next = groups[groups.indexOf(topic.group) + by];
  return next === undefined ? order : moveTopic(order, subId, next, by > 0 ? inGroup(next)[0]?.subId : undefined);
}

/** Puts a group before another one, or last. */
export function moveGroup(order: TopicOrder, name: string, before?: string): TopicOrder {
  const find = (sought?: string) => order.groups.find((other) => other.name === sought);
  const group = find(name);
  return group && before !== name ? { ...order, groups: placedBefore(order.groups, group, find(before)) } : order;
}

export function stepGroup(order: TopicOrder, name: string, by: -1 | 1): TopicOrder {
  const at = order.groups.findIndex((other) => other.name === name);
  const groups = stepped(order.groups, at, by);
  return groups ? { ...order, groups } : order;
}

/** Adds a group at the end, unless there is one with that name. */
export function addGroup(order: TopicOrder, name: string): TopicOrder {
  return order.groups.some((group) => group.name === name) ? order : { ...order, groups: [...order.groups, { name }] };
}

/**
 * Renames a group, or removes it (null), so that its topics are listed under their servers again. If there is one with
 * the new name already, the two are merged.
 */
export function renameGroup(order: TopicOrder, name: string, to: string | null): TopicOrder {
  const isThere = to === null || order.groups.some((group) => group.name === to);
  return {
    groups: isThere
      ? order.groups.filter((group) => group.name !== name || name === to)
      : order.groups.map((group) => (group.name === name ? { ...group, name: to } : group)),
    topics: order.topics.map((topic) => (topic.group === name ? { ...topic, group: to } : topic)),
  };
}

export function toggleGroup(order: TopicOrder, name: string): TopicOrder {
  const turned = ({ name, collapsed }: TopicGroup): TopicGroup => (collapsed ? { name } : { name, collapsed: true });
  return { ...order, groups: order.groups.map((group) => (group.name === name ? turned(group) : group)) };
}

/** Changes groups and order at once; reverted if not stored. Resolves to the order before, if it changed. */
export async function arrange(app: App, change: (order: TopicOrder) => TopicOrder): Promise<TopicOrder | undefined> {
  const before = currentOrder(app.catalogue.settings.groups, app.catalogue.subscriptions);
  const after = change(before);
  if (after === before) return undefined;
  show(app, after);
  if (await store(app, after)) return before;
  show(app, before);
  return undefined;
}

/** Folds or unfolds a group once that is stored: an immediate reload would end the worker before that. */
export async function foldGroup(app: App, name: string): Promise<void> {
  const after = toggleGroup(currentOrder(app.catalogue.settings.groups, app.catalogue.subscriptions), name);
  if (await store(app, after)) show(app, after);
}

async function store(app: App, { groups, topics }: TopicOrder): Promise<boolean> {
  const places = topics.map(({ subId, group }) => ({ subId, group }));
  return (await app.attempt("arrange", { groups, topics: places })) !== undefined;
}

function show(app: App, { groups, topics }: TopicOrder): void {
  const places = new Map(topics.map(({ subId, group }, order) => [subId, { order, group }]));
  const subscriptions = app.catalogue.tables.subscriptions.map((subscription) => {
    const place = places.get(subscription.subId);
    if (!place) return subscription;
    const { group: _before, ...rest } = subscription;
    return { ...rest, order: place.order, ...(place.group !== null && { group: place.group }) };
  });
  app.catalogue.applyOptimistically({ subscriptions, settings: { ...app.catalogue.settings, groups } });
}

/** Moves a topic by one place and announces its new place to screen readers. */
export async function stepTopicBy(app: App, subId: number, by: -1 | 1): Promise<void> {
  if (!(await arrange(app, (order) => stepTopic(order, subId, by)))) return;
  const topic = app.catalogue.subscription(subId);
  if (!topic) return;
  const beside = app.catalogue.subscriptions.filter(
    ({ group, serverId }) => group === topic.group && (group !== undefined || serverId === topic.serverId),
  );
  const place = beside.findIndex((other) => other.subId === subId) + 1;
  const values = { topic: topicName(topic), place, all: beside.length };
  const { placed, placedIn } = topicStrings.groups;
  app.notices.show({ text: topic.group === undefined ? placed(values) : placedIn({ ...values, group: topic.group }) });
}

/** Puts a topic at the end of a group, which is created if missing. Can be undone. */
export async function putInGroup(app: App, subId: number, group: string | null): Promise<void> {
  const subscription = app.catalogue.subscription(subId);
  const put = (order: TopicOrder) => moveTopic(group === null ? order : addGroup(order, group), subId, group);
  const before = subscription && (await arrange(app, put));
  if (!before) return;
  const { movedTo, movedOut } = topicStrings.groups;
  const topic = topicName(subscription);
  app.notices.show({
    text: group === null ? movedOut({ topic }) : movedTo({ topic, group }),
    undo: () => void arrange(app, () => before),
  });
}

export async function stepGroupBy(app: App, name: string, by: -1 | 1): Promise<void> {
  if (!(await arrange(app, (order) => stepGroup(order, name, by)))) return;
  const { groups } = app.catalogue.settings;
  app.notices.show({
    text: topicStrings.groups.moved({
      name,
      place: groups.findIndex((group) => group.name === name) + 1,
      all: groups.length,
    }),
  });
}

/** Renames a group, also in links. */
export async function nameGroup(app: App, name: string, to: string): Promise<void> {
  const renamed = (feed: ColumnFeed): ColumnFeed =>
    feed.view.kind === "group" && feed.view.name === name ? { ...feed, view: { ...feed.view, name: to } } : feed;
  app.navigation.rename(renamed);
  if (!(await arrange(app, (order) => renameGroup(order, name, to)))) return;
  const [from = "", there = ""] = [name, to].map((name) => app.navigation.href({ kind: "group", name }));
  const isOf = (link: string) => link === from || link.startsWith(`${from}?`);
  await rewriteLinks(app, (link) => (isOf(link) ? there + link.slice(from.length) : link));
}

/** Removes a group but keeps its topics. Can be undone. */
export async function dropGroup(app: App, name: string): Promise<void> {
  const { view } = app.navigation;
  if (view.kind === "group" && view.name === name) app.navigation.go({ kind: "everything" }, undefined, "replace");
  const before = await arrange(app, (order) => renameGroup(order, name, null));
  if (!before) return;
  app.notices.show({ text: topicStrings.groups.removed({ name }), undo: () => void arrange(app, () => before) });
}
