import { beforeEach, describe, expect, test } from "vitest";
import type { ServerStatus } from "../../src/contract";
import { awayAfter, isOwnNetwork } from "../../src/hub/commands/outages";
import { World, type Tab } from "./world";

const MINUTE_MS = 60_000;

let world: World;

beforeEach(async () => {
  world = await World.make();
});

/** A tab that is told of outages after 5 minutes, or as the rules say. */
async function watching(rules: object = { outageAfterMin: 5 }): Promise<Tab> {
  const { tab } = await world.subscribed(["a"]);
  await tab.send("setAlerting", { able: true });
  await tab.send("setSetting", { key: "alertRules", value: rules });
  await world.time.advance(MINUTE_MS);
  return tab;
}

const told = ({ events }: Tab) => events.flatMap((event) => (event.kind === "outage" ? [event] : []));

/** Shows what a tab is told, as a page does. */
async function confirm(tab: Tab): Promise<void> {
  for (const { alertId } of told(tab)) await tab.send("confirmAlert", { alertId });
}

describe("a server out of reach", () => {
  test("is reported once after the set time, and once when it is back", async () => {
    const tab = await watching();
    world.server.down = true;
    world.server.cut();
    await world.time.advance(4 * MINUTE_MS);
    expect(told(tab)).toEqual([]);
    await world.time.advance(2 * MINUTE_MS);
    expect(told(tab)).toHaveLength(1);
    await confirm(tab);
    await world.time.advance(60 * MINUTE_MS);
    expect(told(tab)).toHaveLength(1);
    world.server.down = false;
    await world.time.advance(3 * MINUTE_MS);
    expect(told(tab)).toMatchObject([{ serverId: 1 }, { serverId: 1, backAtMs: expect.any(Number) }]);
    await confirm(tab);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(7 * MINUTE_MS);
    expect(told(tab)).toHaveLength(3);
  });

  test.each([
    ["is not told unless that is set", {}],
    ["is not told while everything is muted", { outageAfterMin: 1, mutedUntilMs: Infinity }],
  ])("%s", async (_, rules) => {
    const tab = await watching(rules);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(20 * MINUTE_MS);
    expect(told(tab)).toEqual([]);
    world.server.down = false;
    await world.time.advance(5 * MINUTE_MS);
    expect(told(tab)).toEqual([]);
  });

  test("is reported once a mute has ended if it is still out, and not at all if it came back before", async () => {
    const mutedUntilMs = world.time.now() + 30 * MINUTE_MS;
    const tab = await watching({ outageAfterMin: 5, mutedUntilMs });
    world.server.down = true;
    world.server.cut();
    await world.time.advance(10 * MINUTE_MS);
    world.server.down = false;
    await world.time.advance(5 * MINUTE_MS);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(mutedUntilMs - MINUTE_MS - world.time.now());
    expect(told(tab)).toEqual([]);
    await world.time.advance(2 * MINUTE_MS);
    expect(told(tab)).toMatchObject([{ serverId: 1 }]);
  });

  test("is not reported if the device has no network", async () => {
    const tab = await watching();
    await tab.send("setOnline", { online: false });
    world.server.down = true;
    world.server.cut();
    await world.time.advance(20 * MINUTE_MS);
    expect(told(tab)).toEqual([]);
  });

  test("is not reported again by the next leading hub, which reports its return", async () => {
    const { hub, tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    await tab.send("setSetting", { key: "alertRules", value: { outageAfterMin: 1 } });
    world.server.down = true;
    world.server.cut();
    await world.time.advance(3 * MINUTE_MS);
    expect(told(tab)).toHaveLength(1);
    await confirm(tab);
    hub.stop();
    const next = world.openTab(world.startHub());
    await next.send("setAlerting", { able: true });
    await world.time.advance(10 * MINUTE_MS);
    expect(told(next)).toEqual([]);
    world.server.down = false;
    await world.time.advance(3 * MINUTE_MS);
    expect(told(next)).toMatchObject([{ serverId: 1, backAtMs: expect.any(Number) }]);
  });

  test("counts from when the device woke up, if it slept", async () => {
    const tab = await watching();
    world.server.down = true;
    world.server.cut();
    await world.time.advance(2 * MINUTE_MS);
    await world.time.sleep(60 * MINUTE_MS);
    await world.time.advance(MINUTE_MS);
    expect(told(tab)).toEqual([]);
    await world.time.advance(6 * MINUTE_MS);
    expect(told(tab)).toHaveLength(1);
  });
});

describe("servers that went", () => {
  const status = (serverId: number, kind: "live" | "waiting" | "refused"): ServerStatus => {
    const why = { kind: "network" } as const;
    const state =
      kind === "live"
        ? ({ kind, sinceMs: 0, transport: "json" } as const)
        : kind === "waiting"
          ? ({ kind, attempt: 3, nextTryAtMs: 0, why } as const)
          : ({ kind, why } as const);
    return {
      serverId,
      state,
      checking: false,
      malformed: 0,
      recentRequests: 0,
      cacheless: false,
      refusedTopics: [],
      waitingTopics: [],
    };
  };

  test("all at once went with the device's own network; one by one, they went themselves", () => {
    const both = [status(1, "waiting"), status(2, "waiting")];
    const together = awayAfter(new Map(), both, 1_000);
    expect(isOwnNetwork(together, both)).toBe(true);
    const first = awayAfter(new Map(), [status(1, "waiting"), status(2, "live")], 0);
    expect(isOwnNetwork(first, [status(1, "waiting"), status(2, "live")])).toBe(false);
    expect(isOwnNetwork(awayAfter(first, both, 61_000), both)).toBe(false);
    const single = [status(1, "waiting")];
    expect(isOwnNetwork(awayAfter(new Map(), single, 0), single)).toBe(false);
  });

  test("are those that don't answer, not those that refuse", () => {
    expect([...awayAfter(new Map(), [status(1, "refused"), status(2, "live")], 5)]).toEqual([]);
  });
});
