// Topics, views and settings that the devices of a group share. What this device had at the last comparison tells who
// changed something: the user here, or another device.
import {
  checkViews,
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
import type { ServerAddress } from "../../protocol";
import { type Catalogue, decodeSetting, type GroupRecord, type Settings } from "../../store";
import { type CommandContext, unwrap } from "../commands/context";
import type { HostRules } from "../commands/settings-commands";

/** The settings that are about the person, not about a screen, a room or a disk. */
const SHARED_SETTINGS: readonly (keyof Settings)[] = ["groups", "alertRules", "markRead", "historyRead", "singleKeys"];

/** What stands for a register that isn't set. */
const NONE = "null";

type Value = Pick<Register, "key" | "value">;

/** What the host's configuration says, and how a server moves to another address. */
export interface CatalogueRules extends HostRules {
  moveServer(serverId: number, address: ServerAddress): Promise<unknown>;
}

function shareOf(name: RegisterName | undefined): ShareKind | undefined {
  if (name?.kind === "topic" || name?.kind === "moved") return "topics";
  if (name?.kind === "view") return "views";
  if (name?.kind !== "setting") return undefined;
  if (name.name === "groups") return "topics";
  return SHARED_SETTINGS.some((one) => one === name.name) ? "settings" : undefined;
}

/** JSON has no number for "without end". */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one === Infinity ? FOREVER : one));

/** What this version shares of a value, always written in one way. */
function sharedIn(name: RegisterName | undefined, value: unknown): unknown {
  if (name?.kind === "topic") return value && sharedOf(value);
  return name?.kind === "setting" ? (decodeSetting(name.name, value)?.value ?? value) : value;
}

/** What this device has, by register, as JSON. */
function textsOf({ servers, subscriptions, views, settings }: Catalogue): Map<string, string> {
  const topics = subscriptions.flatMap((topic): [string, string][] => {
    const server = servers.find(({ serverId }) => serverId === topic.serverId);
    return server ? [[topicKey(server.address, topic.topic), textOf(sharedOf(topic))]] : [];
  });
  const moves = servers.flatMap(({ address, formerAddresses = [] }) =>
    formerAddresses.map((former): [string, string] => [`moved ${former}`, textOf(address)]),
  );
  const saved = views.map(({ name, link }): [string, string] => [`view ${name}`, textOf(link)]);
  const own = SHARED_SETTINGS.map((name): [string, string] => {
    return [`setting ${name}`, textOf(sharedIn({ kind: "setting", name }, settings[name]))];
  });
  return new Map([...moves, ...topics, ...saved, ...own]);
}

/**
 * Brings what is here and what is shared together: what changed here becomes registers, what changed elsewhere is
 * applied. At the first comparison the group's wins, and what only this device has is added, by a newcomer once it has
 * been told everything.
 */
export async function compareCatalogue(
  context: CommandContext,
  rules: CatalogueRules,
  group: GroupRecord,
): Promise<void> {
  const { store, now } = context.environment;
  const told = unwrap(await store.registersOf("moved", "setting", "topic", "view"));
  const shared = new Map(told.map((one) => [one.key, one]));
  const here = textsOf(await store.reader.catalogue());
  const isMoved = (address: ServerAddress): boolean => {
    const { value, here: before } = shared.get(`moved ${address}`) ?? {};
    return here.has(`moved ${address}`) || (before === undefined && Boolean(value));
  };
  const notes = new Map<string, string | undefined>();
  const note = (key: string, text: string): void => {
    const after = text === NONE ? undefined : text;
    if (after !== shared.get(key)?.here) notes.set(key, after);
  };
  const own: Value[] = [];
  const others: (Value & { theirs: string })[] = [];
  for (const key of new Set([...here.keys(), ...shared.keys()])) {
    const name = nameOf(key);
    const share = shareOf(name);
    // What is shared again later is compared anew; of a server that moved, the topics go by its new address.
    if (!share || !group.shares.includes(share) || (name?.kind === "topic" && isMoved(name.address))) {
      note(key, NONE);
      continue;
    }
    const mine = here.get(key) ?? NONE;
    const { value = null, here: before } = shared.get(key) ?? {};
    const theirs = textOf(sharedIn(name, value));
    const isFirst = before === undefined && theirs !== NONE;
    // The removal of a topic is noted as it happens: one that is missing otherwise is damaged.
    const isMissing = mine === NONE && name?.kind === "topic";
    const isChanged = mine !== (before ?? NONE) && !isFirst && !isMissing;
    if (isChanged && isNewcomer(group)) continue;
    if (isChanged) own.push({ key, value: JSON.parse(mine) as unknown });
    else if (shared.has(key) && theirs !== mine) others.push({ key, value, theirs });
    if (isChanged || theirs === mine) note(key, mine);
  }
  if (own.length > 0) unwrap(await store.setRegisters(own, now()));
  // In the order of their keys, servers move before their topics come.
  for (const { key, value } of others) await apply(context, rules, nameOf(key), value);
  const applied = others.length > 0 ? textsOf(await store.reader.catalogue()) : here;
  for (const { key, theirs } of others) {
    const result = applied.get(key) ?? NONE;
    if (result === theirs || result !== (here.get(key) ?? NONE)) note(key, result);
  }
  if (notes.size > 0) unwrap(await store.noteHere(notes));
  // Marks told under the new address of a server were kept for when it has moved.
  if ([...own, ...others].some(({ key }) => nameOf(key)?.kind === "moved"))
    for (const changes of unwrap(await store.setToldMarks(now()))) context.written(changes);
  if (others.some(({ key }) => applied.get(key) !== here.get(key))) await context.catalogueChanged();
}

/** Whether a device has missed all there is: the others have yet to tell what they know before it tells its own. */
export const isNewcomer = ({ missedSinceS }: Pick<GroupRecord, "missedSinceS">): boolean =>
  missedSinceS !== undefined && missedSinceS <= 0;

async function apply(
  context: CommandContext,
  rules: CatalogueRules,
  name: RegisterName | undefined,
  value: unknown,
): Promise<void> {
  const { store, now } = context.environment;
  switch (name?.kind) {
    case "moved": {
      const address = value as ServerAddress | null;
      const server = unwrap(await store.findServer(name.address));
      if (!server || !address || unwrap(await store.findServer(address))) return;
      await rules.moveServer(server.serverId, address);
      return;
    }
    case "topic": {
      const server = unwrap(await store.findServer(name.address));
      const topics = unwrap(await store.subscriptions());
      const known = topics.find((one) => one.serverId === server?.serverId && one.topic === name.topic);
      if (value === null) {
        // Not noted as this device's own: meanwhile another may have subscribed again.
        if (known) unwrap(await store.patchSubscription(known.subId, { removedAtMs: now() }));
        return;
      }
      if (await rules.barred(name.address)) return;
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
    case "view": {
      const views: readonly SavedView[] = (await store.reader.catalogue()).views;
      const at = views.findIndex((one) => one.name === name.name);
      const saved = value === null ? [] : [{ ...views[at], name: name.name, link: value as string }];
      const next = at < 0 ? [...views, ...saved] : views.toSpliced(at, 1, ...saved);
      if (checkViews(next).ok) unwrap(await store.setViews(next));
      return;
    }
    case "setting": {
      const setting = decodeSetting(name.name, value);
      if (setting && !(await rules.locked(setting.name)))
        unwrap(await store.setSetting(setting.name, setting.value as never));
      return;
    }
    default:
  }
}
