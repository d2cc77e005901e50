import { expect } from "vitest";
import type { DeviceGroup, GroupState } from "../../../src/contract";
import type { Hub } from "../../../src/hub";
import { type HubOptions, type Tab, World } from "../world";

/** A device with its own database, in one time and with one server with the others. */
export interface Device {
  world: World;
  hub: Hub;
  tab: Tab;
  state(): Promise<GroupState>;
  member(): Promise<DeviceGroup>;
  /** Ids of the messages that are read here. */
  read(): Promise<string[]>;
  markRead(...ids: string[]): Promise<void>;
  topics(): Promise<string[]>;
  /** Its worker ends and starts anew. */
  restart(): Promise<void>;
}

export async function device(other?: Device, options: HubOptions = {}): Promise<Device> {
  const world = await World.make(other?.world);
  const hub = world.startHub(options);
  const self: Device = {
    world,
    hub,
    tab: world.openTab(hub),
    async state() {
      const state = await self.tab.send("deviceGroup", {});
      if (!state.ok) throw new Error(JSON.stringify(state.error));
      return state.value;
    },
    async member() {
      const state = await self.state();
      if (state.kind !== "member") throw new Error(JSON.stringify(state));
      return state;
    },
    async read() {
      return (await world.rows("feed"))
        .filter(({ readAtMs }) => readAtMs !== undefined)
        .map(({ id }) => id)
        .sort();
    },
    async markRead(...ids) {
      const keys = (await world.rows("feed"))
        .filter(({ id }) => ids.includes(id))
        .map((row) => [row.subId, row.time, row.id]);
      expect(keys).toHaveLength(ids.length);
      const marked = await self.tab.send("mark", { keys: keys as never, mark: { kind: "read", on: true } });
      expect(marked).toMatchObject({ ok: true });
    },
    async topics() {
      const { subscriptions } = await world.store.reader.catalogue();
      return subscriptions.map(({ topic, displayName }) => displayName ?? topic).sort();
    },
    async restart() {
      self.hub.stop();
      await world.time.settle();
      self.hub = world.startHub(options);
      self.tab = world.openTab(self.hub);
      await world.time.advance(2_100);
    },
  };
  await world.time.settle();
  return self;
}

export async function subscribe({ world, tab }: Device, ...topics: string[]): Promise<void> {
  const answer = await tab.send("subscribe", { address: world.server.address, topics, history: "all" });
  expect(answer).toMatchObject({ ok: true });
}

/** The first device makes a group. */
export async function start(first: Device, topics = ["a"]): Promise<void> {
  await subscribe(first, ...topics);
  await first.world.time.advance(3_000);
  expect(await first.tab.send("startGroup", { serverId: 1, deviceName: "desktop" })).toEqual({ ok: true, value: null });
}

export async function invite(first: Device): Promise<string> {
  const invited = await first.tab.send("inviteDevice", {});
  if (!invited.ok) throw new Error(JSON.stringify(invited.error));
  return invited.value.invitation;
}

/** Another device joins, and everything is told. */
export async function join(
  first: Device,
  second: Device,
  deviceName = "phone",
  withSignIns = false,
  withinMs = 12_000,
): Promise<void> {
  const invitation = await invite(first);
  expect(await second.tab.send("joinGroup", { invitation, deviceName })).toEqual({ ok: true, value: null });
  await first.world.time.advance(1_000);
  const joining = (await first.member()).joining;
  expect(await second.state()).toMatchObject({ kind: "joining", digits: joining?.digits });
  const letIn = await first.tab.send("letIn", { deviceId: joining?.deviceId ?? "", withSignIns });
  expect(letIn).toMatchObject({ ok: true });
  await first.world.time.advance(withinMs);
}

/** Messages to the group, as the server has them. */
export function told({ world }: Device): number {
  return world.server.requests.filter(({ method, body }) => method === "POST" && body?.includes("earshot-devices"))
    .length;
}
