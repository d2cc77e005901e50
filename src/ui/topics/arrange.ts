import type { App } from "../state/app.svelte";
import { topicName } from "../state/topics/names";
import { topicStrings } from "../strings";
import {
  addGroup,
  moveTopic,
  currentOrder,
  removeGroup,
  stepGroup,
  stepTopic,
  toggleGroup,
  type TopicOrder,
} from "./arrangement";

/** Changes groups and order: on the screen at once, then stored; reverted if storing fails. */
export async function arrange(app: App, change: (order: TopicOrder) => TopicOrder): Promise<boolean> {
  const before = currentOrder(app.catalogue.settings.groups, app.catalogue.subscriptions);
  const after = change(before);
  if (after === before) return false;
  show(app, after);
  if (await store(app, after)) return true;
  show(app, before);
  return false;
}

/**
 * Folds or unfolds a group once that is stored: an immediate reload would end the worker before it read the command.
 */
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
  if (await arrange(app, (order) => stepTopic(order, subId, by))) sayPlace(app, subId);
}

/** Puts a topic into a group, behind the others; a missing group is created. */
export async function putInGroup(app: App, subId: number, group: string | null): Promise<void> {
  if (await arrange(app, (order) => moveTopic(group === null ? order : addGroup(order, group), subId, group)))
    sayPlace(app, subId);
}

/** Moves a group by one place. */
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

/** Removes a group but keeps its topics. Can be undone. */
export async function dropGroup(app: App, name: string): Promise<void> {
  const before = currentOrder(app.catalogue.settings.groups, app.catalogue.subscriptions);
  if (!(await arrange(app, (order) => removeGroup(order, name)))) return;
  app.notices.show({ text: topicStrings.groups.removed({ name }), undo: () => void arrange(app, () => before) });
}

function sayPlace(app: App, subId: number): void {
  const topic = app.catalogue.subscription(subId);
  if (!topic) return;
  const beside = app.catalogue.subscriptions.filter(
    ({ group, serverId }) => group === topic.group && (group !== undefined || serverId === topic.serverId),
  );
  const place = beside.findIndex((other) => other.subId === subId) + 1;
  const said = { topic: topicName(topic), place, all: beside.length };
  const { placed, placedIn } = topicStrings.groups;
  app.notices.show({ text: topic.group === undefined ? placed(said) : placedIn({ ...said, group: topic.group }) });
}
