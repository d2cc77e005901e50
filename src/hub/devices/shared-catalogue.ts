// Topics, views and settings that the devices of a group share. What this device had at the last comparison tells who
// changed something: the user here, or another device.
import {
  FOREVER,
  nameOf,
  type Register,
  type RegisterName,
  type SavedView,
  sharedOf,
  type SharedTopic,
  type ShareKind,
  type SubscriptionPatch,
  topicKey,
} from "../../contract";
import { type Catalogue, decodeSetting, type GroupRecord, type Settings } from "../../store";
import { type CommandContext, unwrap } from "../commands/context";
import type { HostRules } from "../commands/settings-commands";

/** The settings that are about the person, not about a screen, a room or a disk. */
const SHARED_SETTINGS: readonly (keyof Settings)[] = ["groups", "alertRules", "markRead", "historyRead", "singleKeys"];

/** What stands for a register that isn't set. */
const NONE = "null";

type Value = Pick<Register, "key" | "value">;

function shareOf(name: RegisterName | undefined): ShareKind | undefined {
  if (name?.kind === "topic") return "topics";
  if (name?.kind === "views") return "views";
  if (name?.kind !== "setting") return undefined;
  if (name.name === "groups") return "topics";
  return SHARED_SETTINGS.some((one) => one === name.name) ? "settings" : undefined;
}

/** JSON has no number for "without end". */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one === Infinity ? FOREVER : one));

/** What this device has, by register, as JSON. */
function textsOf({ servers, subscriptions, views, settings }: Catalogue): Map<string, string> {
  const topics = subscriptions.flatMap((topic): [string, string][] => {
    const server = servers.find(({ serverId }) => serverId === topic.serverId);
    return server ? [[topicKey(server.address, topic.topic), textOf(sharedOf(topic))]] : [];
  });
  const own = SHARED_SETTINGS.map((name): [string, string] => [`setting ${name}`, textOf(settings[name])]);
  return new Map([...topics, ["views", textOf(views.map(({ name, link }) => ({ name, link })))], ...own]);
}

/**
 * Brings what is here and what is shared together: what changed here becomes registers, what changed elsewhere is
 * applied. At the first comparison the group's wins, and what only this device has is added.
 */
export async function compareCatalogue(context: CommandContext, host: HostRules, group: GroupRecord): Promise<void> {
  const { store, now } = context.environment;
  const kinds = ["topic", "views", "setting"] as const;
  const told = (await Promise.all(kinds.map((kind) => store.registersOf(kind)))).flatMap(unwrap);
  const shared = new Map(told.map((one) => [one.key, one.value]));
  const here = textsOf(await store.reader.catalogue());
  const before = new Map(told.flatMap((one) => (one.here === undefined ? [] : [[one.key, one.here] as const])));
  const after = new Map(before);
  const own: Value[] = [];
  const others: Value[] = [];
  for (const key of new Set([...here.keys(), ...before.keys(), ...shared.keys()])) {
    const share = shareOf(nameOf(key));
    if (!share || !group.shares.includes(share)) {
      // What is shared again later is compared anew.
      after.delete(key);
      continue;
    }
    const mine = here.get(key) ?? NONE;
    const value = shared.get(key) ?? null;
    const theirs = textOf(value && nameOf(key)?.kind === "topic" ? sharedOf(value) : value);
    const isFirst = !before.has(key) && theirs !== NONE;
    const isChanged = mine !== (before.get(key) ?? NONE) && !isFirst;
    if (isChanged) own.push({ key, value: JSON.parse(mine) as unknown });
    else if (shared.has(key) && theirs !== mine) others.push({ key, value: shared.get(key) });
    if (isChanged || theirs === mine) after.set(key, mine);
  }
  if (own.length > 0) unwrap(await store.setRegisters(own, now()));
  for (const { key, value } of others.sort((a, b) => orderOf(a) - orderOf(b))) {
    const isFirst = key === "views" && !before.has(key);
    await apply(context, host, nameOf(key), isFirst ? united(value, here.get(key)) : value);
  }
  const applied = others.length > 0 ? textsOf(await store.reader.catalogue()) : here;
  for (const { key, value } of others) {
    // Of united views, the group is yet to be told.
    after.set(key, key === "views" ? textOf(value) : (applied.get(key) ?? NONE));
  }
  for (const [key, value] of after) if (value === NONE) after.delete(key);
  const keys = new Set([...before.keys(), ...after.keys()]);
  const changed = [...keys].filter((key) => after.get(key) !== before.get(key));
  unwrap(await store.noteHere(changed.map((key) => [key, after.get(key)] as const)));
  if (others.some(({ key }) => applied.get(key) !== here.get(key))) await context.catalogueChanged();
}

/** In this order new topics get the places that they have elsewhere. */
const orderOf = ({ value }: Value): number => (value as Partial<SharedTopic> | null)?.order ?? 0;

/** The group's views, and after them those that only this device has. */
function united(theirs: unknown, mine = "[]"): SavedView[] {
  const views = theirs as SavedView[];
  const names = new Set(views.map(({ name }) => name));
  return [...views, ...(JSON.parse(mine) as SavedView[]).filter(({ name }) => !names.has(name))];
}

async function apply(
  context: CommandContext,
  host: HostRules,
  name: RegisterName | undefined,
  value: unknown,
): Promise<void> {
  const { store, now } = context.environment;
  switch (name?.kind) {
    case "topic": {
      const server = unwrap(await store.findServer(name.address));
      const topics = unwrap(await store.subscriptions());
      const known = topics.find((one) => one.serverId === server?.serverId && one.topic === name.topic);
      if (value === null) {
        if (known) unwrap(await store.removeSubscription(known.subId, now()));
        return;
      }
      if (await host.barred(name.address)) return;
      const { serverId } = server ?? unwrap(await store.addServer(name.address));
      const account = unwrap(await store.accounts()).find((one) => one.serverId === serverId);
      const input = { serverId, accountId: account?.accountId ?? 0, topics: [name.topic] };
      // Its removal may just have been undone elsewhere.
      const back = known ?? unwrap(await store.restoreSubscription({ serverId, topic: name.topic }));
      const topic = back ?? unwrap(await store.addSubscriptions(input))[0];
      const { mutedUntilMs, ...look } = sharedOf(value as SharedTopic);
      const patch = { ...look, mutedUntilMs: mutedUntilMs === FOREVER ? Infinity : mutedUntilMs };
      if (topic) unwrap(await store.patchSubscription(topic.subId, patch as SubscriptionPatch));
      return;
    }
    case "views": {
      const known = (await store.reader.catalogue()).views;
      const views = (value as SavedView[]).map(({ name: title, link }) => {
        const viewId = known.find((one) => one.name === title)?.viewId;
        return { name: title, link, ...(viewId !== undefined && { viewId }) };
      });
      unwrap(await store.setViews(views));
      return;
    }
    case "setting": {
      const setting = decodeSetting(name.name, value);
      if (setting && !(await host.locked(setting.name)))
        unwrap(await store.setSetting(setting.name, setting.value as never));
    }
  }
}
