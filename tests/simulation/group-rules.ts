import { CLOCK_SLACK_MS, deviceOf, markOf, type Register, sharedOf, stampMs } from "../../src/contract";
import { encryptingKey } from "../../src/hub/devices/keys";
import { open, PACKET_TAG, type Packet } from "../../src/hub/devices/packets";
import { decodeBase64Url } from "../../src/protocol";
import type { GroupRecord, SharedRecord, ViewRecord } from "../../src/store";
import { Broken } from "./books";
import { checkCounters } from "./counter-rules";
import { type GroupWorld, MARKS, type MarkName, type OwnDevice } from "./group-world";
import { HOUR_MS, MINUTE_MS } from "./traffic";

/** Marks that were set less apart than this, ms, may win either way. */
const AT_ONCE_MS = 3_000;

/** What a device may tell at once, and after how long one more, ms: 40 a day, without answers (member.ts). */
const RATION = 20;
const ONE_MORE_MS = 1.2 * HOUR_MS;

/** So little is told in a life that each device answers a question with at most so many packets. */
const ANSWERS = 2;

const MARK_NAMES = Object.keys(MARKS) as MarkName[];

function grouped<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
}

/** Whether a device still has something to tell or to ask; undefined = none has. */
export function leftToSay({ members }: GroupWorld): string | undefined {
  if (members.length < 2) return undefined;
  for (const { name, sim, group } of members) {
    const waiting = sim.disk.read<SharedRecord>("shared").filter(({ unsent }) => unsent);
    if (waiting.length > 0) return `${name} still has to tell ${waiting.length}, such as ${waiting[0]?.key}`;
    if (group?.missedSinceS !== undefined) return `${name} still has a question`;
  }
  return undefined;
}

/** Whether the user's devices share everything; undefined = they do, else what differs. */
export function disagreement({ members, keys, forgotten }: GroupWorld): string | undefined {
  const [first, ...others] = members;
  if (!first) return undefined;
  const [topic, catalogue, messages] = [first.group?.topic, catalogueOf(first), first.messages];
  for (const other of others) {
    const both = `${first.name} and ${other.name}`;
    if (other.group?.topic !== topic) return `${both} are in different topics of ${keys.size}`;
    const theirs = catalogueOf(other);
    for (const key of new Set([...catalogue.keys(), ...theirs.keys()]))
      if (catalogue.get(key) !== theirs.get(key))
        return `${both} differ in ${key}: ${catalogue.get(key)}, ${theirs.get(key)}`;
    for (const [one, by] of [[first, other] as const, [other, first] as const])
      for (const name of deletedBy(by))
        if (one.messages.get(name)?.deletedAtMs === undefined && one.messages.has(name))
          return `${one.name} still has ${name}, which ${by.name} knows is deleted`;
    for (const [name, row] of other.messages) {
      const mine = messages.get(name);
      for (const kind of MARK_NAMES)
        if (mine && !forgotten.has(name) && (mine[MARKS[kind]] === undefined) !== (row[MARKS[kind]] === undefined))
          return `${both} differ in ${kind} of ${name}: ${mine[MARKS[kind]]}, ${row[MARKS[kind]]}`;
    }
  }
  return undefined;
}

/** Messages that are deleted as far as a device knows, by topic and id; it may not have them any more. */
function deletedBy({ sim }: OwnDevice): string[] {
  return sim.disk.read<SharedRecord>("shared").flatMap(({ key, value }) => {
    const name = value === null ? undefined : markOf(key);
    return name?.kind === "deleted" ? [`${name.topic} ${name.id}`] : [];
  });
}

/** Topics with their look, views and settings, as JSON. */
function catalogueOf({ subscriptions, sim }: OwnDevice): Map<string, string> {
  const views = sim.disk.read<ViewRecord>("views").sort((a, b) => a.name.localeCompare(b.name));
  const [, keys = true] = sim.disk.entries("settings").find(([key]) => key === "singleKeys") ?? [];
  return new Map([
    ...subscriptions.map((one): [string, string] => [`topic ${one.topic}`, JSON.stringify(sharedOf(one))]),
    ["views", JSON.stringify(views.map(({ name, link }) => [name, link]))],
    ["setting singleKeys", JSON.stringify(keys)],
  ]);
}

/** A mark that a device has lost, although nobody set it anew later; undefined = none. */
export function lostMark({ members, marks, unsure, forgotten }: GroupWorld): string | undefined {
  const ids = new Set(members.map(({ group }) => group?.deviceId));
  const byMark = grouped(marks, ({ message, kind }) => `${kind} of ${message}`);
  for (const [what, all] of byMark) {
    const sure = all.filter(({ isSure, deviceId }) => isSure && ids.has(deviceId));
    const last = sure.at(-1);
    if (!last || unsure.has(last.message) || forgotten.has(last.message)) continue;
    const may = new Set(
      all.filter((one) => !sure.includes(one) || one.atMs > last.atMs - AT_ONCE_MS).map(({ isSet }) => isSet),
    );
    for (const { name, messages } of members) {
      const row = messages.get(last.message);
      const isSet = row?.[MARKS[last.kind]] !== undefined;
      if (row && !may.has(isSet)) return `${name} has lost ${what}, which is ${!isSet}`;
    }
  }
  return undefined;
}

/** Whether the others have yet to hear of a move that a removed device has heard of; undefined = they have. */
export function yetToFollow({ devices, members: [first], keys }: GroupWorld): string | undefined {
  const topic = first?.group?.topic;
  // Who had moved the group left before the others heard of it.
  if (topic !== [...keys.keys()].at(-1)) return undefined;
  const out = devices.find(({ sim }) => {
    const [group] = sim.disk.read<GroupRecord>("group");
    return group?.ended === "removed" && group.topic === topic;
  });
  return out && `${first?.name} has yet to hear that ${out.name} was removed`;
}

/** A device that was removed learns nothing that others set once they had moved on. */
export function checkOut({ devices, members, out, keys, cameAtMs }: GroupWorld): void {
  const topic = members[0]?.group?.topic;
  // Who had moved the group left before the others heard of it.
  if (topic !== [...keys.keys()].at(-1)) return;
  for (const one of devices) {
    const { name, sim } = one;
    const [group] = sim.disk.read<{ deviceId: string; topic: string }>("group");
    if (!group || !out.has(group.deviceId) || members.includes(one)) continue;
    if (group.topic === topic) throw new Broken("out", `${name} was removed and knows where the group is`);
    for (const { key, stamp } of sim.disk.read<Register>("shared")) {
      const movedAtMs = cameAtMs.get(`${deviceOf(stamp)} ${topic}`) ?? Infinity;
      // A stamp from a clock that was wrong tells nothing.
      const isSure = devices.every(({ jumps }) => jumps === 0);
      if (isSure && stampMs(stamp) > movedAtMs + 2 * MINUTE_MS)
        throw new Broken("out", `${name} was removed and still learnt ${key}`);
    }
  }
}

/** No clock that is ahead makes a mark win for long: what was told isn't later than the server's clock. */
export function checkStamps({ members, schedule, server }: GroupWorld): void {
  const latestMs = schedule.nowMs + server.skewMs + CLOCK_SLACK_MS;
  for (const { name, sim } of members)
    for (const { key, stamp, unsent } of sim.disk.read<SharedRecord>("shared"))
      if (!unsent && stampMs(stamp) > latestMs) throw new Broken("stamps", `${name} holds ${key} of the future`);
}

/** Nothing of the group is stored as a message or a topic, and the counters are right. */
export function checkStores(world: GroupWorld): void {
  for (const { name, sim } of world.devices) {
    const { read } = sim.disk;
    for (const store of ["subscriptions", "messages", "gaps", "sequences", "servers"]) {
      const text = JSON.stringify(read(store));
      if (text.includes(PACKET_TAG) || [...world.keys.keys()].some((topic) => text.includes(topic)))
        throw new Broken("stores", `${store} of ${name} holds something of the group's topic`);
    }
    checkCounters({ read } as Parameters<typeof checkCounters>[0]);
  }
}

/** A packet that reached the server. */
export interface TimedPacket {
  atMs: number;
  packet: Packet;
}

/** All packets of the group, in order. */
export async function allTold({ server, keys }: GroupWorld): Promise<TimedPacket[]> {
  const all: TimedPacket[] = [];
  const opened = new Map<string, CryptoKey>();
  for (const { event, acceptedAtMs = 0 } of server.published.values()) {
    const key = keys.get(event.topic);
    if (!key || event.event !== "message" || !event.tags?.includes(PACKET_TAG)) continue;
    const crypto = opened.get(key) ?? (await encryptingKey(decodeBase64Url(key) ?? new Uint8Array(), "group"));
    opened.set(key, crypto);
    const packet = await open(crypto, event.message);
    if (packet) all.push({ atMs: acceptedAtMs, packet });
  }
  return all;
}

const isQuestion = ({ packet: { said } }: TimedPacket): boolean => said.kind === "changes" && said.asks !== undefined;

/** How many packets count: questions and moves are beside the budget, and so are so many answers. */
export function counted(told: readonly TimedPacket[], questions = told.filter(isQuestion).length): number {
  const changes = told.filter((one) => one.packet.said.kind === "changes" && !isQuestion(one));
  return changes.length - ANSWERS * questions;
}

/** No device tells more than its budget at any time. @param more what lost answers and clocks excuse */
export function checkBudget(told: readonly TimedPacket[], more: number): void {
  for (const [from, { atMs }] of told.entries())
    for (let to = from + RATION; to < told.length; to++) {
      const span = told.slice(from, to + 1);
      const questions = span.filter(isQuestion).length;
      const most = RATION + ((span.at(-1)?.atMs ?? 0) - atMs) / ONE_MORE_MS + 1 + more;
      for (const [deviceId, all] of grouped(span, ({ packet }) => packet.deviceId))
        if (counted(all, questions) > most) throw new Broken("budget", `${deviceId} told ${all.length} packets`);
    }
}
