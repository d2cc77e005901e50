import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Commands, markKey, type MessageKey, parseInvitation, stampAt } from "../../../src/contract";
import { derive, encryptingKey, keyOf as keyOfGroup, makeIdentity, wrap } from "../../../src/hub/devices/keys";
import { open, seal, type Statement } from "../../../src/hub/devices/packets";
import { decodeBase64Url, encodeBase64Url, fail, type ServerAddress } from "../../../src/protocol";
import { FakeLocks } from "../fake-locks";
import { hearTold } from "../../../src/hub";
import { Pushed } from "../pushed";
import { errorAnswer } from "../fake-server";
import { over } from "../world";
import { workAtOnce } from "./at-once";
import { type Device, device, invite, join, start, subscribe, told } from "./pair";

workAtOnce();

const HOUR = 3_600_000;

/** Two devices of a group, both up to date. */
async function two(topics = ["a"]): Promise<{ desktop: Device; phone: Device; server: Device["world"]["server"] }> {
  const desktop = await device();
  await start(desktop, topics);
  const phone = await device(desktop);
  await join(desktop, phone);
  return { desktop, phone, server: desktop.world.server };
}

/** A device joins, and who let it in is closed before it says what it knows. */
async function joinUnanswered(host: Device, newcomer: Device): Promise<void> {
  await newcomer.tab.send("joinGroup", { invitation: await invite(host), deviceName: "phone" });
  await advance(host, 1_000);
  const { joining } = await host.member();
  await host.tab.send("letIn", { deviceId: joining?.deviceId ?? "", withSignIns: false });
  host.hub.stop();
  await advance(host, 1_000);
}

/** From its next start, what a device publishes, and the answer to it, are each on their way for half a second. */
function slowDown({ world }: Device): void {
  const made = world.environment.bind(world);
  const pass = () => new Promise<void>((resolve) => world.time.setTimer(resolve, 500));
  world.environment = (options) => ({
    ...made(options),
    fetch: async (url, init) => {
      if (init?.method !== "POST") return world.server.fetch(url, init);
      await pass();
      const answer = await world.server.fetch(url, init);
      await pass();
      return answer;
    },
  });
}

const advance = (one: Device, ms: number) => one.world.time.advance(ms);

/** The topic by which the group's messages go. */
function stateTopic({ world }: Device): string {
  const last = world.server.requests.findLast(({ body }) => body?.includes("earshot-devices"));
  return (JSON.parse(last?.body ?? "{}") as { topic: string }).topic;
}

async function subIdOf({ world }: Device, topic: string): Promise<number> {
  const { subscriptions } = await world.store.reader.catalogue();
  return subscriptions.find((one) => one.topic === topic)?.subId ?? 0;
}

async function send<Name extends "patchServer" | "patchSubscription" | "setViews" | "setSetting" | "unsubscribe">(
  { tab }: Device,
  name: Name,
  input: Commands[Name]["input"],
): Promise<void> {
  expect(await tab.send(name, input)).toMatchObject({ ok: true });
}

async function keyOf({ world }: Device, id: string): Promise<MessageKey> {
  const row = (await world.rows("feed")).find((one) => one.id === id);
  return [row?.subId ?? 0, row?.time ?? 0, id];
}

/** Makes the server answer at another address too. */
async function secondAddress(...devices: Device[]): Promise<ServerAddress> {
  const elsewhere = "https://elsewhere.example.com" as ServerAddress;
  for (const { world } of devices) {
    const made = world.environment.bind(world);
    const { server } = world;
    world.environment = (options) => ({
      ...made(options),
      fetch: (url, init) => server.fetch(url.replace(elsewhere, server.address), init),
    });
  }
  for (const one of devices) await one.restart();
  return elsewhere;
}

/** Another page of the origin breaks the record of a topic. */
async function damage({ world }: Device, subId: number): Promise<void> {
  const opening = world.indexedDB.open("earshot");
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const transaction = opening.result.transaction("subscriptions", "readwrite");
  transaction.objectStore("subscriptions").put({ subId, topic: 1 });
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  opening.result.close();
}

describe("a group of devices", () => {
  test("a device joins, and both show the same digits, each other and the topics", async () => {
    const { desktop, phone } = await two(["a", "b"]);
    for (const one of [desktop, phone]) {
      expect((await one.member()).devices.map(({ name }) => name).sort()).toEqual(["desktop", "phone"]);
      expect(await one.topics()).toEqual(["a", "b"]);
      expect(one.world.problems).toEqual([]);
    }
  });

  test("what is read on one is read on the other within two seconds", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    expect(await phone.read()).toEqual([]);
    await desktop.markRead(id);
    await advance(desktop, 2_000);
    expect(await phone.read()).toEqual([id]);
    await advance(desktop, 2 * HOUR);
    expect((await desktop.member()).waiting).toBe(0);
  });

  test("the first mark after joining shows on the other at once", async () => {
    const desktop = await device();
    await start(desktop);
    const { id } = desktop.world.server.publish("a", "one");
    const phone = await device(desktop);
    await join(desktop, phone);
    await phone.markRead(id);
    await advance(desktop, 2_000);
    expect(await desktop.read()).toEqual([id]);
  });

  test("a device that joins another has its topics within two seconds", async () => {
    const desktop = await device();
    await start(desktop, ["a", "b"]);
    const phone = await device(desktop);
    await join(desktop, phone, "phone", false, 2_000);
    expect(await phone.topics()).toEqual(["a", "b"]);
  });

  test("who marks something every minute for 45 minutes finds it on the other within 15, and the rest on hiding the page", async () => {
    const { desktop, phone, server } = await two();
    const ids = Array.from({ length: 45 }, (_, at) => server.publish("a", String(at)).id);
    await advance(desktop, 60_000);
    const before = told(desktop);
    for (const [at, id] of ids.entries()) {
      await desktop.markRead(id);
      await advance(desktop, 60_000);
      expect((await phone.read()).length, `after ${at} minutes`).toBeGreaterThan(at - 15);
    }
    expect(told(desktop) - before).toBeLessThanOrEqual(22);
    await desktop.tab.send("ping", { inSight: false });
    await advance(desktop, 2_000);
    expect(await phone.read()).toHaveLength(45);
  });

  test("what waits is told when the page is hidden", async () => {
    const { desktop, phone, server } = await two();
    const ids = ["one", "two"].map((text) => server.publish("a", text).id);
    await advance(desktop, 60_000);
    await desktop.markRead(...ids.slice(0, 1));
    await advance(desktop, 2_000);
    await desktop.markRead(...ids.slice(1));
    await advance(desktop, 2_000);
    expect(await phone.read()).toEqual(ids.slice(0, 1));
    await desktop.tab.send("ping", { inSight: false });
    await advance(desktop, 1_000);
    expect(await phone.read()).toEqual(ids);
  });

  test("what was read before a long backlog comes is read in all of it", async () => {
    const { desktop, phone, server } = await two();
    phone.hub.stop();
    server.cut();
    const ids = Array.from({ length: 300 }, (_, at) => server.publish("a", String(at)).id);
    await advance(desktop, 60_000);
    await desktop.markRead(...ids);
    await advance(desktop, 120_000);
    await phone.restart();
    await advance(desktop, 60_000);
    expect((await phone.read()).length).toBe(300);
  });

  test("a device that comes with topics and marks of its own shares them", async () => {
    const desktop = await device();
    const { id } = desktop.world.server.publish("a", "one");
    const { id: other } = desktop.world.server.publish("b", "two");
    await start(desktop);
    await desktop.markRead(id);
    const phone = await device(desktop);
    await subscribe(phone, "a", "b");
    await advance(phone, 3_000);
    await phone.markRead(other);
    await join(desktop, phone);
    await advance(phone, 60_000);
    for (const one of [desktop, phone]) {
      expect(await one.topics()).toEqual(["a", "b"]);
      expect(await one.read()).toEqual([id, other]);
    }
  });

  test("topics, views and settings go both ways, and come to rest", async () => {
    const { desktop, phone } = await two(["a", "b"]);
    await send(desktop, "patchSubscription", {
      subId: await subIdOf(desktop, "a"),
      patch: { displayName: "Attic", mutedUntilMs: Infinity },
    });
    await send(phone, "setViews", { views: [{ name: "Urgent", link: "#/~urgent" }] });
    await send(phone, "setSetting", { key: "singleKeys", value: false });
    await advance(desktop, 60_000);
    await send(phone, "unsubscribe", { subId: await subIdOf(phone, "b") });
    await subscribe(desktop, "c");
    await advance(desktop, 60_000);
    for (const { world } of [desktop, phone]) {
      const { subscriptions, views, settings } = await world.store.reader.catalogue();
      expect(subscriptions.map(({ topic }) => topic)).toEqual(["a", "c"]);
      expect(subscriptions[0]).toMatchObject({ displayName: "Attic", mutedUntilMs: Infinity });
      expect(views.map(({ name }) => name)).toEqual(["Urgent"]);
      expect(settings.singleKeys).toBe(false);
    }
    await advance(desktop, 60_000);
    const before = told(desktop);
    await advance(desktop, HOUR / 2);
    expect(told(desktop)).toBe(before);
  });

  test("an alert rule that one writes otherwise is the same rule, and a newcomer can change it", async () => {
    const desktop = await device();
    await start(desktop);
    await send(desktop, "setSetting", {
      key: "alertRules",
      value: { repeatUrgent: false, outageAfterMin: 5 } as never,
    });
    const phone = await device(desktop);
    await join(desktop, phone);
    await advance(desktop, 60_000);
    await send(phone, "setSetting", { key: "alertRules", value: { mutedUntilMs: Infinity } as never });
    await advance(desktop, 60_000);
    for (const { world } of [desktop, phone])
      expect((await world.store.reader.catalogue()).settings.alertRules).toMatchObject({ mutedUntilMs: Infinity });
    const before = told(desktop);
    await advance(desktop, 60_000);
    expect(told(desktop)).toBe(before);
  });

  test("both are in step once each has heard what the other told", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    for (const { tab } of [desktop, phone]) await tab.send("ping", { inSight: true });
    await desktop.markRead(id);
    for (let passedMs = 0; passedMs < 60_000; passedMs += 10_000) {
      await advance(desktop, 10_000);
      for (const { tab } of [desktop, phone]) await tab.send("ping", { inSight: true });
    }
    for (const each of [desktop, phone])
      expect((await each.member()).devices.map(({ isInStep }) => isInStep)).toEqual([true, true]);
  });

  test("what is read at the new address of a server before it has moved here is read here once it has", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    const elsewhere = await secondAddress(desktop, phone);
    await advance(desktop, 60_000);
    phone.hub.stop();
    await send(desktop, "patchServer", { serverId: 1, move: { address: elsewhere, keepsSignIn: true } });
    await advance(desktop, 40_000);
    await desktop.markRead(id);
    await advance(desktop, 60_000);
    await phone.restart();
    await advance(desktop, 120_000);
    expect(await phone.read()).toEqual([id]);
  });

  test("a device keeps for itself what it says is its own", async () => {
    const { desktop, phone } = await two();
    const own = await phone.tab.send("setOwnDevice", { shares: ["marks"], name: "pocket" });
    expect(own).toMatchObject({ ok: true });
    await send(desktop, "setSetting", { key: "singleKeys", value: false });
    await advance(desktop, 60_000);
    expect((await phone.world.store.reader.catalogue()).settings.singleKeys).toBe(true);
    const seen = (await desktop.member()).devices.find(({ isThis }) => !isThis);
    expect(seen).toMatchObject({ name: "pocket", shares: ["marks"] });
    // Once it shares them again, the group's count.
    await phone.tab.send("setOwnDevice", { shares: ["marks", "settings"] });
    await advance(desktop, 60_000);
    for (const { world } of [desktop, phone])
      expect((await world.store.reader.catalogue()).settings.singleKeys).toBe(false);
  });

  test("two that were both offline tell each other everything once they are back", async () => {
    const { desktop, phone, server } = await two();
    const [one, other] = [server.publish("a", "one"), server.publish("a", "two")];
    await advance(desktop, 60_000);
    server.down = true;
    server.cut();
    await desktop.markRead(one.id);
    await phone.markRead(other.id);
    await advance(desktop, 600_000);
    expect(await phone.member()).toMatchObject({ waiting: 1, trouble: { why: { kind: "network" } } });
    server.down = false;
    await advance(desktop, 180_000);
    for (const each of [desktop, phone]) expect(await each.read()).toEqual([one.id, other.id]);
    expect((await phone.member()).trouble).toBeUndefined();
  });

  test("what a server lost is asked for and told again", async () => {
    const { desktop, phone, server } = await two();
    const rows = ["one", "two", "three"].map((text) => server.publish("a", text));
    await advance(desktop, 60_000);
    phone.hub.stop();
    server.cut();
    await desktop.markRead(rows[0]?.id ?? "");
    await advance(desktop, 60_000);
    server.forget(({ topic }) => topic === stateTopic(desktop));
    await phone.restart();
    await advance(desktop, 60_000);
    expect(await phone.read()).toEqual([]);
    await desktop.markRead(rows[1]?.id ?? "");
    await advance(desktop, 60_000);
    expect(await phone.read()).toEqual(rows.slice(0, 2).map(({ id }) => id));
  });

  test("what a stream did not bring comes with the next, even if later news came meanwhile", async () => {
    const { desktop, phone, server } = await two();
    const ids = ["one", "two"].map((text) => server.publish("a", text).id);
    await advance(desktop, 60_000);
    const topic = stateTopic(desktop);
    const streams = [...server.streams].filter(({ topics }) => topics.includes(topic));
    for (const stream of streams) stream.stuck = true;
    await desktop.markRead(ids[0] ?? "");
    await desktop.tab.send("ping", { inSight: false });
    await advance(desktop, 5_000);
    for (const stream of streams) stream.stuck = false;
    await phone.markRead(ids[1] ?? "");
    await advance(desktop, 40_000);
    expect([await desktop.read(), await phone.read()]).toEqual([ids, ids.slice(1)]);
    server.cut();
    await advance(desktop, 10_000);
    expect(await phone.read()).toEqual(ids);
  });

  test("a device that was away for four weeks learns all, even if none has told anything lately", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    phone.hub.stop();
    await desktop.markRead(id);
    await advance(desktop, 60_000);
    desktop.hub.stop();
    await desktop.world.time.sleep(28 * 24 * HOUR);
    server.forget();
    await desktop.restart();
    await phone.restart();
    await advance(phone, 60_000);
    expect(await phone.read()).toEqual([id]);
  });

  test("a device that was away learns what another marked before that one's clock was set forward", async () => {
    const { desktop, phone, server } = await two();
    const [before = "", forgotten = "", after = ""] = ["1", "2", "3"].map((text) => server.publish("a", text).id);
    await advance(desktop, 60_000);
    phone.hub.stop();
    await desktop.markRead(before);
    await advance(desktop, 60_000);
    server.skewS -= (26 * HOUR) / 1_000;
    desktop.world.time.set(26 * HOUR);
    await advance(desktop, 60_000);
    await desktop.markRead(forgotten);
    await advance(desktop, 60_000);
    server.forget();
    await desktop.markRead(after);
    await advance(desktop, 60_000);
    await phone.restart();
    await advance(phone, 120_000);
    expect(await phone.read()).toEqual([before, forgotten, after]);
  });

  test("a device that was away learns of a topic's removal that waited to be told while other things were", async () => {
    const desktop = await device();
    await start(desktop, ["a", "b"]);
    const phone = await device(desktop);
    await join(desktop, phone);
    const { server } = desktop.world;
    const [first = "", last = ""] = ["1", "2"].map((text) => server.publish("a", text).id);
    await advance(desktop, 300_000);
    await send(desktop, "unsubscribe", { subId: await subIdOf(desktop, "b") });
    await advance(desktop, 1_000);
    await desktop.markRead(first);
    await advance(desktop, 35_000);
    expect(await phone.read()).toEqual([first]);
    phone.hub.stop();
    await advance(desktop, 120_000);
    server.forget();
    await desktop.markRead(last);
    await advance(desktop, 120_000);
    await phone.restart();
    await advance(phone, 120_000);
    expect([await phone.read(), await phone.topics()]).toEqual([[first, last], ["a"]]);
  });

  test("a worker that ends in the midst of everything loses no mark", async () => {
    const { desktop, phone, server } = await two();
    const ids = Array.from({ length: 12 }, (_, at) => server.publish("a", String(at)).id);
    await advance(desktop, 60_000);
    for (const [at, id] of ids.entries()) {
      const [one, other] = at % 2 === 0 ? [desktop, phone] : [phone, desktop];
      await one.markRead(id);
      await advance(one, at * 97);
      await one.restart();
      if (at % 3 === 0) await other.restart();
    }
    await advance(desktop, 600_000);
    for (const each of [desktop, phone]) expect(await each.read()).toEqual(ids);
  });

  test("300 reads in a day take at most 40 messages", async () => {
    const { desktop, phone, server } = await two();
    // Until midnight, by which days are counted.
    await desktop.world.time.sleep(14 * HOUR - 1_000);
    await advance(desktop, 60_000);
    const before = told(desktop);
    for (let round = 0; round < 100; round++) {
      const ids = ["one", "two", "three"].map((text) => server.publish("a", text).id);
      await advance(desktop, 10_000);
      for (const id of ids) {
        await (round % 5 === 0 ? phone : desktop).markRead(id);
        await advance(desktop, 1_000);
      }
      await advance(desktop, 300_000);
    }
    await advance(desktop, HOUR);
    expect(told(desktop) - before).toBeLessThanOrEqual(40);
    expect(told(desktop) - before).toBeGreaterThan(10);
    await desktop.world.time.sleep(15 * HOUR);
    await advance(desktop, HOUR);
    expect((await phone.read()).length).toBe(300);
    expect((await desktop.read()).length).toBe(300);
  });
});

describe("what a group withstands", () => {
  test("messages that come all the time hold no mark back", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    await desktop.markRead(id);
    for (let at = 0; at < 10; at++) {
      server.publish("a", String(at));
      await advance(desktop, 200);
    }
    expect(await phone.read()).toEqual([id]);
  });

  test("garbage, replays, the messages of another group and very many of them", async () => {
    const { desktop, phone, server } = await two();
    const other = await device(desktop);
    await start(other, ["z"]);
    const foreign = other.world.server.requests.findLast(({ body }) => body?.includes("earshot-devices"));
    const topic = stateTopic(other);
    const { message } = JSON.parse(foreign?.body ?? "{}") as { message: string };
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    await desktop.markRead(id);
    await advance(desktop, 60_000);
    const own = server.requests.findLast(({ body }) => body?.includes("earshot-devices"));
    const replayed = JSON.parse(own?.body ?? "{}") as { topic: string; message: string };
    expect(replayed.topic).not.toBe(topic);
    const before = told(desktop);
    // The phone's question is among them.
    const all = server.requests.flatMap(({ body }) => {
      if (!body?.includes("earshot-devices")) return [];
      const packet = JSON.parse(body) as typeof replayed;
      return packet.topic === replayed.topic ? [packet.message] : [];
    });
    for (const text of ["", "garbage", message, ...all, ...all, "A".repeat(10_000_000)]) {
      server.publish(replayed.topic, text);
    }
    for (let at = 0; at < 200; at++) server.publish(replayed.topic, `AQ${String(at).repeat(900)}`);
    const second = server.publish("a", "two");
    await advance(desktop, 60_000);
    expect(told(desktop)).toBe(before);
    await desktop.markRead(second.id);
    await advance(desktop, 2_000);
    expect(await phone.read()).toEqual([id, second.id]);
    for (const { world } of [desktop, phone]) expect(world.problems).toEqual([]);
  });

  test("a device that tells more of a topic than is shared changes nothing else of it", async () => {
    const { desktop, phone, server } = await two(["a", "b"]);
    const { id } = server.publish("a", "one");
    server.publish("a", "two");
    await advance(desktop, 60_000);
    const more = { subId: await subIdOf(desktop, "b"), keepMessages: 1, tellsRead: "on", removedAtMs: 1, mood: "good" };
    const value = { order: 9, displayName: "Attic", ...more };
    await phone.world.store.setRegisters([{ key: `topic ${server.address} a`, value }], phone.world.time.now());
    await phone.restart();
    await advance(desktop, 180_000);
    expect(await desktop.topics()).toEqual(["Attic", "b"]);
    expect((await desktop.world.rows("feed")).map((row) => row.id)).toContain(id);
    const [topic] = (await desktop.world.store.reader.catalogue()).subscriptions.filter(({ topic }) => topic === "a");
    expect(topic).not.toHaveProperty("keepMessages");
    expect(topic).not.toHaveProperty("tellsRead");
    expect(topic).not.toHaveProperty("mood");
  });

  test("a day's messages that are used up: it says so, and goes on later", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    server.intercept = ({ method, body }) =>
      method === "POST" && body?.includes("earshot-devices") ? errorAnswer(429, 42908) : undefined;
    const before = told(desktop);
    await desktop.markRead(id);
    await advance(desktop, HOUR / 2);
    // Neither a page that hides nor others that say something make it try again sooner.
    await desktop.tab.send("ping", { inSight: true });
    await desktop.tab.send("ping", { inSight: false });
    await advance(desktop, 1_000);
    expect(told(desktop) - before).toBe(1);
    const { trouble, waiting } = await desktop.member();
    expect(trouble?.why).toMatchObject({ kind: "busy", code: 42908 });
    expect(trouble?.nextTryAtMs).toBeGreaterThan(desktop.world.time.now());
    expect(waiting).toBe(1);
    server.intercept = undefined;
    await advance(desktop, HOUR);
    expect(await phone.read()).toEqual([id]);
  });

  test("two devices that ask by one invitation: neither is let in", async () => {
    const desktop = await device();
    await start(desktop);
    const invitation = await invite(desktop);
    const [phone, thief] = [await device(desktop), await device(desktop)];
    await phone.tab.send("joinGroup", { invitation, deviceName: "phone" });
    await advance(desktop, 1_000);
    await thief.tab.send("joinGroup", { invitation, deviceName: "phone" });
    await advance(desktop, 2_000);
    expect(await phone.state()).toMatchObject({ kind: "ended" });
    expect(await thief.state()).toMatchObject({ kind: "ended" });
    expect((await desktop.member()).joining).toBeUndefined();
    expect((await desktop.member()).devices).toHaveLength(1);
  });

  test("an invitation holds once, and ten minutes", async () => {
    const desktop = await device();
    await start(desktop);
    const invitation = await invite(desktop);
    const phone = await device(desktop);
    await phone.tab.send("joinGroup", { invitation, deviceName: "phone" });
    await advance(desktop, 1_000);
    const { joining } = await desktop.member();
    await desktop.tab.send("letIn", { deviceId: joining?.deviceId ?? "", withSignIns: false });
    await advance(desktop, 5_000);
    const laptop = await device(desktop);
    await laptop.tab.send("joinGroup", { invitation, deviceName: "laptop" });
    await advance(desktop, 5_000);
    expect(await laptop.state()).toEqual({ kind: "ended", why: "refused" });
    const later = await invite(desktop);
    await advance(desktop, 601_000);
    await laptop.tab.send("joinGroup", { invitation: later, deviceName: "laptop" });
    await advance(desktop, 5_000);
    expect(await laptop.state()).toEqual({ kind: "ended", why: "refused" });
    expect(await laptop.tab.send("leaveGroup", {})).toMatchObject({ ok: true });
    expect(await laptop.state()).toEqual({ kind: "alone" });
  });

  test("whoever has only the link can't take a device into another group", async () => {
    const desktop = await device();
    await start(desktop);
    const invitation = await invite(desktop);
    const phone = await device(desktop);
    await phone.tab.send("joinGroup", { invitation, deviceName: "phone" });
    await advance(desktop, 1_000);
    const { server } = desktop.world;
    const secret = decodeBase64Url(parseInvitation(invitation)?.secret ?? "") ?? new Uint8Array();
    const topic = encodeBase64Url(await derive(secret, "pairing topic", 20));
    const key = await encryptingKey(secret, "pairing");
    const asked = server.requests.findLast(({ body }) => body?.includes(topic));
    const join = await open(key, (JSON.parse(asked?.body ?? "{}") as { message: string }).message);
    if (join?.said.kind !== "join") throw new Error("nobody asks");
    const thief = await makeIdentity();
    const place = { topic: "z".repeat(27), key: encodeBase64Url(new Uint8Array(32)) };
    const group = await wrap(place, thief, join.said.publicKey, new Uint8Array(12));
    const said = { kind: "welcome", to: join.deviceId, from: thief.publicKey, group } as Statement;
    const packet = { deviceId: thief.deviceId, counter: 0, heard: {}, said };
    server.publish(topic, (await seal(key, packet, new Uint8Array(12))).text);
    await advance(desktop, 5_000);
    expect(await phone.state()).toMatchObject({ kind: "ended" });
  });

  test("a device whose digits differ isn't let in", async () => {
    const desktop = await device();
    await start(desktop);
    const phone = await device(desktop);
    await phone.tab.send("joinGroup", { invitation: await invite(desktop), deviceName: "phone" });
    await advance(desktop, 1_000);
    await desktop.tab.send("endInvitation", {});
    await advance(desktop, 1_000);
    expect(await phone.state()).toEqual({ kind: "ended", why: "refused" });
  });

  test("a device that is removed reads nothing more, and the others follow, even one that was away", async () => {
    const { desktop, phone, server } = await two();
    const laptop = await device(desktop);
    await join(desktop, laptop, "laptop");
    phone.hub.stop();
    server.cut();
    const { devices } = await desktop.member();
    const id = devices.find(({ name }) => name === "laptop")?.deviceId ?? "";
    const before = stateTopic(desktop);
    expect(await desktop.tab.send("removeDevice", { deviceId: id })).toEqual({ ok: true, value: null });
    await advance(desktop, 60_000);
    expect(stateTopic(desktop)).not.toBe(before);
    expect(await laptop.state()).toEqual({ kind: "ended", why: "removed" });
    await advance(desktop, 20 * HOUR);
    await phone.restart();
    const message = server.publish("a", "one");
    await advance(desktop, 60_000);
    await desktop.markRead(message.id);
    await advance(desktop, 60_000);
    expect(await phone.read()).toEqual([message.id]);
    expect(await laptop.read()).toEqual([]);
    expect((await phone.member()).devices.map(({ name }) => name).sort()).toEqual(["desktop", "phone"]);
  });

  test("a device that leaves is gone from the others' lists, and keeps what it has", async () => {
    const { desktop, phone } = await two();
    expect(await phone.tab.send("leaveGroup", {})).toMatchObject({ ok: true });
    await advance(desktop, 2_000);
    expect(await phone.state()).toEqual({ kind: "alone" });
    expect(await phone.topics()).toEqual(["a"]);
    expect((await desktop.member()).devices).toHaveLength(1);
  });

  test("a device whose clock is a year ahead doesn't win for long", async () => {
    const desktop = await device();
    await start(desktop);
    const phone = await device(desktop, { aheadMs: 365 * 24 * HOUR });
    await join(desktop, phone);
    await send(phone, "patchSubscription", {
      subId: await subIdOf(phone, "a"),
      patch: { displayName: "from the phone" },
    });
    await advance(desktop, 60_000);
    expect(await desktop.topics()).toEqual(["from the phone"]);
    await advance(desktop, 120_000);
    await send(desktop, "patchSubscription", {
      subId: await subIdOf(desktop, "a"),
      patch: { displayName: "from the desktop" },
    });
    await advance(desktop, 60_000);
    for (const one of [desktop, phone]) expect(await one.topics()).toEqual(["from the desktop"]);
  });
});

describe("several devices", () => {
  test("only one answers a device that asks, with what it missed", async () => {
    const { desktop, phone, server } = await two();
    const laptop = await device(desktop);
    await join(desktop, laptop, "laptop");
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    phone.hub.stop();
    server.cut();
    await desktop.markRead(id);
    await advance(desktop, 20 * HOUR);
    server.forget();
    await advance(desktop, 60_000);
    const before = told(desktop);
    await phone.restart();
    await advance(desktop, 30_000);
    expect(await phone.read()).toEqual([id]);
    // The question and one answer, which shows that others were lost before it, so that both come once more; and perhaps
    // what the asking device says of itself.
    expect(told(desktop) - before).toBeLessThanOrEqual(5);
    for (const one of [desktop, phone, laptop]) expect((await one.member()).devices).toHaveLength(3);
  });

  test("a mark of a device whose clock is a year ahead is taken back by a later one", async () => {
    const { desktop, server } = await two();
    const ahead = await device(desktop, { aheadMs: 365 * 24 * HOUR });
    await join(desktop, ahead, "ahead");
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    await ahead.markRead(id);
    await advance(desktop, 60_000);
    expect(await desktop.read()).toEqual([id]);
    const [row] = await desktop.world.rows("feed");
    const keys: [number, number, string][] = [[row?.subId ?? 0, row?.time ?? 0, id]];
    await desktop.tab.send("mark", { keys, mark: { kind: "read", on: false } });
    await advance(desktop, 60_000);
    for (const one of [desktop, ahead]) expect(await one.read()).toEqual([]);
  });

  test("a device whose clock is a year ahead shares what was read on it before it joined", async () => {
    const desktop = await device();
    await start(desktop);
    const { id } = desktop.world.server.publish("a", "one");
    const ahead = await device(desktop, { aheadMs: 365 * 24 * HOUR });
    await subscribe(ahead, "a");
    await advance(desktop, 60_000);
    await ahead.markRead(id);
    await join(desktop, ahead, "ahead");
    await advance(desktop, 60_000);
    expect(await desktop.read()).toEqual([id]);
  });

  test.each([true, false])("credentials go along only if chosen: %s", async (withSignIns) => {
    const desktop = await device();
    const { server } = desktop.world;
    const ADA = { kind: "basic", user: "ada", password: "s3cret" } as const;
    server.users.push(ADA);
    server.readers.set("a", [ADA]);
    const input = { address: server.address, topics: ["a"], credentials: ADA };
    expect(await desktop.tab.send("subscribe", { ...input, history: "all" })).toMatchObject({ ok: true });
    await start(desktop, ["b"]);
    const phone = await device(desktop);
    await join(desktop, phone, "phone", withSignIns);
    const { accounts, subscriptions } = await phone.world.store.reader.catalogue();
    expect(accounts.map(({ credentials }) => credentials)).toEqual(withSignIns ? [ADA] : []);
    expect(subscriptions.map(({ topic }) => topic)).toEqual(["a", "b"]);
    const bodies = server.requests.map(({ body }) => body ?? "").join("");
    expect(bodies).not.toContain("s3cret");
  });

  test("a device that takes a sign-in along gets a token of its own, and keeps it when the first signs out", async () => {
    const desktop = await device();
    const { server } = desktop.world;
    const ADA = { kind: "basic", user: "ada", password: "s3cret" } as const;
    server.users.push(ADA);
    server.readers.set("a", [ADA]);
    server.issuesTokens = true;
    const input = { address: server.address, topics: ["a"], credentials: ADA };
    expect(await desktop.tab.send("subscribe", { ...input, history: "all" })).toMatchObject({ ok: true });
    await start(desktop, ["b"]);
    const phone = await device(desktop);
    await join(desktop, phone, "phone", true);
    const accounts = async ({ world }: Device) => (await world.store.reader.catalogue()).accounts;
    const [first, own] = [await accounts(desktop), await accounts(phone)].map(([one]) => one);
    expect(own).toMatchObject({ user: "ada", issued: 1, expires: expect.any(Number) as number });
    expect(own?.credentials).not.toEqual(first?.credentials);
    const signOut = { serverId: 1, subIds: [await subIdOf(desktop, "a")], credentials: null };
    expect(await desktop.tab.send("setCredentials", signOut)).toMatchObject({ ok: true });
    await advance(desktop, 60_000);
    const { id } = server.publish("a", "still heard");
    await advance(phone, 60_000);
    expect((await phone.world.rows("feed")).map((row) => row.id)).toContain(id);
  });

  test("the group goes on as its user when the last topic of its server is unsubscribed, and a refused sign-in isn't tried again", async () => {
    const desktop = await device();
    const { server } = desktop.world;
    const ADA = { kind: "basic", user: "ada", password: "s3cret" } as const;
    server.users.push(ADA);
    const input = { address: server.address, topics: ["a"], credentials: ADA };
    expect(await desktop.tab.send("subscribe", { ...input, history: "all" })).toMatchObject({ ok: true });
    await advance(desktop, 3_000);
    expect(await desktop.tab.send("startGroup", { serverId: 1, deviceName: "desktop" })).toMatchObject({ ok: true });
    await send(desktop, "unsubscribe", { subId: await subIdOf(desktop, "a") });
    await advance(desktop, 120_000);
    await desktop.restart();
    const signed = () => server.requests.filter(({ authorization }) => authorization !== undefined).length;
    const before = signed();
    server.cut();
    await advance(desktop, HOUR);
    expect(signed()).toBeGreaterThan(before);
    server.users.length = 0;
    server.cut();
    await advance(desktop, 60_000);
    const refused = signed();
    await advance(desktop, 2 * HOUR);
    expect(signed()).toBe(refused);
  });

  test("a hub that doesn't lead neither listens nor sends, and its tabs use the group as well", async () => {
    const locks = new FakeLocks().manager;
    const desktop = await device(undefined, { locks });
    await start(desktop);
    const follower = desktop.world.startHub({ locks });
    const tab = desktop.world.openTab(follower);
    await advance(desktop, 5_000);
    const listening = [...desktop.world.server.streams].filter(({ topics }) => topics.includes(stateTopic(desktop)));
    expect(listening).toHaveLength(1);
    expect(await tab.send("deviceGroup", {})).toMatchObject({ value: { kind: "member" } });
    const invited = await tab.send("inviteDevice", {});
    expect(invited.ok && invited.value.invitation).toContain(desktop.world.server.address);
    desktop.hub.stop();
    await advance(desktop, 5_000);
    expect(await tab.send("deviceGroup", {})).toMatchObject({ value: { kind: "member" } });
    const after = [...desktop.world.server.streams].filter(({ topics }) => topics.includes(stateTopic(desktop)));
    expect(after).toHaveLength(1);
  });
});

test("a command that comes before anybody leads is carried out once somebody does", async () => {
  const desktop = await device();
  await subscribe(desktop, "a");
  desktop.hub.stop();
  const locks = new FakeLocks().manager;
  // The worker of a page that was just left still holds the lead.
  let free = (): void => undefined;
  void locks.request("earshot-hub", {}, () => new Promise<void>((resolve) => (free = resolve)));
  const tab = desktop.world.openTab(desktop.world.startHub({ locks }));
  let answer: unknown;
  void tab.send("startGroup", { serverId: 1, deviceName: "desktop" }).then((value) => (answer = value));
  await advance(desktop, 1_000);
  free();
  await advance(desktop, 5_000);
  expect(answer).toEqual({ ok: true, value: null });
});

describe("without a group", () => {
  test("one whose topic may not be written to isn't made, and one is made later", async () => {
    const desktop = await device();
    await subscribe(desktop, "a");
    const { server } = desktop.world;
    server.intercept = ({ method }) => (method === "POST" ? errorAnswer(403, 40301) : undefined);
    const refused = await desktop.tab.send("startGroup", { serverId: 1, deviceName: "desktop" });
    expect(refused).toMatchObject({ ok: false, error: { kind: "failed", why: { kind: "forbidden" } } });
    expect(await desktop.state()).toEqual({ kind: "alone" });
    server.intercept = undefined;
    await start(desktop, ["b"]);
    expect((await desktop.member()).devices).toHaveLength(1);
  });

  test("nothing is asked of any server", async () => {
    const desktop = await device();
    await subscribe(desktop, "a");
    await advance(desktop, 10_000);
    const { requests } = desktop.world.server;
    expect(await desktop.state()).toEqual({ kind: "alone" });
    expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
    expect(new Set(requests.map(({ url }) => url.pathname.split("/")[1]))).toEqual(new Set(["a"]));
  });
});

describe("what is told, and when", () => {
  test("topics removed right after each other are told together", async () => {
    const desktop = await device();
    await start(desktop, ["a", "b", "c"]);
    const phone = await device(desktop);
    await join(desktop, phone);
    await advance(desktop, 300_000);
    for (const topic of ["b", "c"]) {
      await send(desktop, "unsubscribe", { subId: await subIdOf(desktop, topic) });
      await advance(desktop, 300);
    }
    await advance(desktop, 47_500);
    expect(await phone.topics()).toEqual(["a"]);
  });

  test("marks that go on don't hold back the first", async () => {
    const desktop = await device();
    await start(desktop);
    const phone = await device(desktop);
    await join(desktop, phone);
    const ids: string[] = [];
    for (let at = 0; at < 60; at++) {
      ids.unshift(desktop.world.server.publish("a", String(at)).id);
      await advance(desktop, 1_000);
    }
    await advance(desktop, 300_000);
    for (const id of ids) {
      await desktop.markRead(id);
      await advance(desktop, 500);
    }
    expect((await phone.read()).length).toBeGreaterThan(0);
  });

  test("nothing but that it is there, while no other device is", async () => {
    const desktop = await device();
    const { server } = desktop.world;
    const ids = Array.from({ length: 300 }, (_, at) => server.publish("a", String(at)).id);
    await subscribe(desktop, "a");
    await advance(desktop, 3_000);
    await desktop.markRead(...ids.slice(0, 50));
    await start(desktop, ["b"]);
    await desktop.markRead(...ids.slice(50));
    await advance(desktop, HOUR);
    expect(told(desktop)).toBe(1);
    const phone = await device(desktop);
    await join(desktop, phone);
    expect(await phone.read()).toEqual([...ids].sort());
  });

  test("a device that is alone in its group again shares nothing anew at its next start", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    await desktop.markRead(id);
    await advance(desktop, 60_000);
    await phone.tab.send("leaveGroup", {});
    await advance(desktop, 60_000);
    // From now on, the same marks would have later stamps.
    server.skewS += 10;
    await desktop.tab.send("setOwnDevice", { name: "attic" });
    await advance(desktop, 60_000);
    await desktop.restart();
    expect((await desktop.member()).waiting).toBe(0);
  });

  test("what the group has of a topic stays when a newcomer that has it too joins", async () => {
    const desktop = await device();
    const ids = Array.from({ length: 400 }, (_, at) => desktop.world.server.publish("a", String(at)).id);
    await start(desktop);
    await desktop.markRead(...ids);
    await send(desktop, "patchSubscription", { subId: await subIdOf(desktop, "a"), patch: { displayName: "Attic" } });
    const phone = await device(desktop);
    await subscribe(phone, "a");
    await advance(phone, 3_000);
    // Some packets of the answer take long.
    let posts = 0;
    desktop.world.server.intercept = ({ method, body }) =>
      method === "POST" && body?.includes("earshot-devices") && ++posts === 4 ? errorAnswer(429, 42901) : undefined;
    await join(desktop, phone);
    await advance(phone, 120_000);
    for (const one of [desktop, phone]) expect(await one.topics()).toEqual(["Attic"]);
  });

  test("a newcomer has the group's topics before it has been told of all marks", async () => {
    const desktop = await device();
    const { server } = desktop.world;
    const ids = Array.from({ length: 1_200 }, (_, at) => server.publish("a", String(at)).id);
    await subscribe(desktop, "a");
    await advance(desktop, 3_000);
    await desktop.markRead(...ids);
    await start(desktop, ["b"]);
    await send(desktop, "patchSubscription", { subId: await subIdOf(desktop, "a"), patch: { displayName: "Attic" } });
    const phone = await device(desktop);
    // The day's messages are used up in the midst of the answer.
    let posts = 0;
    server.intercept = ({ method, body }) =>
      method === "POST" && body?.includes("earshot-devices") && ++posts > 5 ? errorAnswer(429, 42908) : undefined;
    await join(desktop, phone);
    await advance(phone, 120_000);
    expect(await phone.topics()).toEqual(["Attic", "b"]);
    expect((await phone.read()).length).toBeLessThan(ids.length);
    server.intercept = undefined;
    await advance(phone, 2 * HOUR);
    expect(await phone.read()).toEqual([...ids].sort());
  });

  test("a long answer pauses, so that requests of the household are left", async () => {
    const desktop = await device();
    await start(desktop);
    // Of a newer version, each as large as a packet.
    const large = Array.from({ length: 12 }, (_, at) => ({
      key: `newer ${at}`,
      value: encodeBase64Url(randomBytes(2_000)),
    }));
    await desktop.world.store.setRegisters(large, desktop.world.time.now());
    const phone = await device(desktop);
    const before = told(desktop);
    await join(desktop, phone, "phone", false, 8_000);
    await desktop.tab.send("ping", { inSight: false });
    await advance(desktop, 1_000);
    expect(told(desktop) - before, "also if the page is hidden").toBeLessThanOrEqual(10);
    await advance(desktop, 60_000);
    const known = await phone.world.store.registersOf("newer" as never);
    expect(known).toMatchObject({ ok: true, value: { length: large.length } });
  });

  test("a newcomer takes an answer that is there before the server has confirmed its question", async () => {
    const desktop = await device();
    await start(desktop);
    const phone = await device(desktop);
    slowDown(phone);
    await phone.restart();
    await join(desktop, phone);
    await subscribe(phone, "b");
    await advance(phone, 60_000);
    expect(await desktop.topics()).toEqual(["a", "b"]);
  });

  test("newcomers go on together when whoever let the first one in is gone", async () => {
    const desktop = await device();
    await start(desktop);
    const phone = await device(desktop);
    await joinUnanswered(desktop, phone);
    await subscribe(phone, "b");
    await advance(phone, 60_000);
    const tablet = await device(desktop);
    await join(phone, tablet, "tablet");
    await advance(phone, 60_000);
    expect(await tablet.topics()).toEqual(["b"]);
    const gone = (await phone.member()).devices.find(({ name }) => name === "desktop")?.deviceId ?? "";
    expect(await phone.tab.send("removeDevice", { deviceId: gone })).toMatchObject({ ok: true });
  });

  test("newcomers right after each other go on together within two hours when whoever let the first one in is gone", async () => {
    const desktop = await device();
    await start(desktop);
    const phone = await device(desktop);
    await joinUnanswered(desktop, phone);
    await subscribe(phone, "b");
    const tablet = await device(desktop);
    await join(phone, tablet, "tablet");
    await advance(phone, 7_200_000);
    expect(await tablet.topics()).toEqual(["b"]);
  });

  test("newcomers that are always opened at the same time go on together, too", async () => {
    const desktop = await device();
    await start(desktop);
    const phone = await device(desktop);
    await joinUnanswered(desktop, phone);
    await subscribe(phone, "b");
    const tablet = await device(desktop);
    await join(phone, tablet, "tablet");
    for (const one of [phone, tablet]) slowDown(one);
    for (let times = 0; times < 2; times++) {
      for (const one of [phone, tablet]) one.hub.stop();
      await phone.world.time.sleep(2 * HOUR);
      await Promise.all([phone, tablet].map((one) => one.restart()));
      await advance(phone, 40_000);
    }
    expect(await tablet.topics()).toEqual(["b"]);
  });

  test("newcomers that are opened with whoever let the first one in take the group's settings", async () => {
    const desktop = await device();
    await start(desktop);
    await send(desktop, "setSetting", { key: "markRead", value: "never" });
    await advance(desktop, 2_000);
    const phone = await device(desktop);
    await joinUnanswered(desktop, phone);
    const tablet = await device(desktop);
    await join(phone, tablet, "tablet");
    for (const one of [phone, tablet]) one.hub.stop();
    await phone.world.time.sleep(2 * HOUR);
    for (const one of [phone, tablet, desktop]) await one.restart();
    await advance(phone, 60_000);
    for (const { world } of [phone, tablet, desktop]) {
      const settings = await world.store.settings();
      expect(settings).toMatchObject({ ok: true, value: { markRead: "never" } });
    }
  });

  test("a newcomer that can't hear the answer doesn't go on as if there were none", async () => {
    const desktop = await device();
    await start(desktop);
    await send(desktop, "setSetting", { key: "markRead", value: "never" });
    await advance(desktop, 2_000);
    const phone = await device(desktop);
    await joinUnanswered(desktop, phone);
    const tablet = await device(desktop);
    await join(phone, tablet, "tablet");
    for (const one of [phone, tablet]) one.hub.stop();
    await phone.world.time.sleep(2 * HOUR);
    let isOff = false;
    const made = tablet.world.environment.bind(tablet.world);
    tablet.world.environment = (options) => ({
      ...made(options),
      fetch: (url, init) => (isOff ? Promise.reject(new TypeError("offline")) : tablet.world.server.fetch(url, init)),
    });
    for (const one of [phone, tablet]) await one.restart();
    await advance(phone, 6_000);
    isOff = true;
    desktop.world.server.cut();
    await desktop.restart();
    await advance(phone, 45_000);
    isOff = false;
    await advance(phone, 300_000);
    for (const { world } of [phone, tablet, desktop]) {
      const settings = await world.store.settings();
      expect(settings).toMatchObject({ ok: true, value: { markRead: "never" } });
    }
  });

  test("newcomers go on together when whoever let the first one in is gone in the midst of its answer", async () => {
    const desktop = await device();
    const { server } = desktop.world;
    const ids = Array.from({ length: 800 }, (_, at) => server.publish("a", String(at)).id);
    await subscribe(desktop, "a");
    await advance(desktop, 3_000);
    await desktop.markRead(...ids);
    await start(desktop, ["b"]);
    const phone = await device(desktop);
    let posts = 0;
    server.intercept = ({ method, body }) =>
      method === "POST" && body?.includes("earshot-devices") && ++posts > 4 ? errorAnswer(429, 42908) : undefined;
    await join(desktop, phone);
    desktop.hub.stop();
    server.intercept = undefined;
    expect(await phone.topics()).toEqual(["a", "b"]);
    expect((await phone.read()).length).toBeLessThan(ids.length);
    await subscribe(phone, "c");
    await advance(phone, 60_000);
    const tablet = await device(desktop);
    await join(phone, tablet, "tablet");
    await advance(phone, 60_000);
    expect(await tablet.topics()).toEqual(["a", "b", "c"]);
  });

  test("two that come back after weeks learn what each other and a third know", async () => {
    const { desktop, phone, server } = await two();
    const laptop = await device(desktop);
    await join(desktop, laptop, "laptop");
    const ids = ["one", "two", "three"].map((text) => server.publish("a", text).id);
    await advance(desktop, 60_000);
    for (const one of [phone, laptop]) one.hub.stop();
    server.cut();
    await desktop.markRead(ids[0] ?? "");
    await phone.world.store.mark(
      [await keyOf(phone, ids[1] ?? "")],
      { kind: "read", on: true },
      desktop.world.time.now(),
    );
    await laptop.world.store.mark(
      [await keyOf(laptop, ids[2] ?? "")],
      { kind: "read", on: true },
      desktop.world.time.now(),
    );
    await advance(desktop, 60_000);
    desktop.hub.stop();
    await desktop.world.time.sleep(20 * 24 * HOUR);
    server.forget();
    for (const one of [phone, laptop, desktop]) await one.restart();
    await advance(desktop, 120_000);
    for (const one of [desktop, phone, laptop]) expect(await one.read()).toEqual([...ids].sort());
  });

  test("an answer that got lost is asked for again once that shows", async () => {
    const { desktop, phone, server } = await two();
    const ids = ["one", "two"].map((text) => server.publish("a", text).id);
    await advance(desktop, 60_000);
    phone.hub.stop();
    server.cut();
    await desktop.markRead(ids[0] ?? "");
    await advance(desktop, 20 * HOUR);
    server.forget();
    let posts = 0;
    server.intercept = ({ method, body }) =>
      method === "POST" && body?.includes("earshot-devices") && ++posts === 2
        ? Response.json({ ...JSON.parse(body), id: server.nextId(), time: server.nowS, event: "message" })
        : undefined;
    await phone.restart();
    await advance(desktop, 30_000);
    expect(await phone.read()).toEqual([]);
    await desktop.markRead(ids[1] ?? "");
    await advance(desktop, 60_000);
    expect(await phone.read()).toEqual(ids);
  });

  test("what turns out to be missed while a question is on its way is asked for, too", async () => {
    const { desktop, phone, server } = await two();
    const ids = ["one", "two", "three"].map((text) => server.publish("a", text).id);
    await advance(desktop, 60_000);
    await desktop.markRead(ids[0] ?? "");
    await advance(desktop, 5_000);
    await desktop.markRead(ids[1] ?? "");
    const isTold = (body?: string) => body?.includes("earshot-devices") ?? false;
    const lost = ({ body }: { body?: string | undefined }) =>
      Response.json({ ...JSON.parse(body ?? ""), id: server.nextId(), time: server.nowS, event: "message" });
    server.intercept = (request) => (isTold(request.body) ? lost(request) : undefined);
    await advance(desktop, 30_000);
    desktop.hub.stop();
    server.intercept = undefined;
    await phone.markRead(ids[2] ?? "");
    await advance(phone, 60_000);
    phone.hub.stop();
    await desktop.world.time.sleep(30 * HOUR);
    server.forget();
    let answer: () => void = () => undefined;
    server.intercept = ({ body }) => {
      if (!isTold(body)) return undefined;
      server.intercept = undefined;
      const { topic, message } = JSON.parse(body ?? "") as { topic: string; message: string };
      const event = server.publish(topic, message);
      return new Promise((resolve) => (answer = () => resolve(Response.json(event))));
    };
    await phone.restart();
    await desktop.restart();
    answer();
    await advance(desktop, 60_000);
    expect(await phone.read()).toEqual(ids);
  });

  test("a clock that is set back while an answer waits doesn't hold it up", async () => {
    const { desktop, phone, server } = await two();
    const ids = ["one", "two"].map((text) => server.publish("a", text).id);
    await advance(desktop, 60_000);
    phone.hub.stop();
    server.cut();
    await desktop.markRead(ids[0] ?? "");
    await advance(desktop, 60_000);
    server.forget(({ topic }) => topic === stateTopic(desktop));
    await phone.restart();
    await desktop.markRead(ids[1] ?? "");
    await advance(desktop, 700);
    desktop.world.time.set(-24 * HOUR);
    await desktop.tab.send("resume", {});
    await advance(desktop, 60_000);
    expect(await phone.read()).toEqual(ids);
  });

  test("after a clock is set back, messages that come hold no mark back", async () => {
    const { desktop, phone, server } = await two();
    const ids = ["one", "two"].map((text) => server.publish("a", text).id);
    await advance(desktop, 60_000);
    await desktop.markRead(ids[0] ?? "");
    await advance(desktop, 5_000);
    desktop.world.time.set(-24 * HOUR);
    await desktop.tab.send("resume", {});
    await advance(desktop, 5_000);
    await desktop.markRead(ids[1] ?? "");
    for (let at = 0; at < 10; at++) {
      server.publish("a", String(at));
      await advance(desktop, 5_000);
    }
    expect(await phone.read()).toEqual(ids);
  });

  test("telling is tried again ten minutes after a refusal, and no sooner as a clock goes back a little", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    server.intercept = ({ method }) => (method === "POST" ? errorAnswer(403, 40301) : undefined);
    await desktop.markRead(id);
    await advance(desktop, 5_000);
    server.intercept = undefined;
    desktop.world.time.set(-500);
    await desktop.tab.send("resume", {});
    await advance(desktop, 60_000);
    expect(await phone.read()).toEqual([]);
    await advance(desktop, 720_000);
    expect(await phone.read()).toEqual([id]);
  });

  test("a topic that was removed just before a clock is set back is removed on the others, too", async () => {
    const { desktop, phone } = await two(["a", "b"]);
    const made = desktop.world.environment.bind(desktop.world);
    let aheadMs = 0;
    desktop.world.environment = (options) => {
      const environment = made(options);
      return { ...environment, now: () => environment.now() + aheadMs };
    };
    await desktop.restart();
    await send(desktop, "unsubscribe", { subId: await subIdOf(desktop, "b") });
    await advance(desktop, 2_000);
    aheadMs = -24 * HOUR;
    await desktop.tab.send("resume", {});
    await advance(desktop, 300_000);
    expect(await phone.topics()).toEqual(["a"]);
  });

  test("what doesn't fit into one packet waits its turn, even if the user asked for it, or until the page is hidden", async () => {
    const { desktop, phone, server } = await two();
    const ids = Array.from({ length: 1_200 }, (_, at) => server.publish("a", String(at)).id);
    await advance(desktop, 60_000);
    await phone.tab.send("setOwnDevice", { shares: ["topics"] });
    await advance(desktop, 60_000);
    await phone.markRead(...ids);
    await phone.world.store.patchGroup({ ration: { left: 3, atMs: desktop.world.time.now() } });
    const before = told(desktop);
    await phone.tab.send("setOwnDevice", { shares: ["topics", "marks"] });
    await advance(desktop, 1_000);
    expect(told(desktop) - before).toBe(2);
    await phone.tab.send("ping", { inSight: false });
    await advance(desktop, 1_000);
    expect(told(desktop) - before).toBe(3);
    await desktop.world.time.sleep(24 * HOUR);
    expect((await desktop.read()).length).toBe(1_200);
  });

  test("a question that nobody answers is asked twice a day at most", async () => {
    const { desktop, phone, server } = await two();
    phone.hub.stop();
    await desktop.world.time.sleep(12 * HOUR);
    await advance(desktop, HOUR);
    server.cut();
    await advance(desktop, 60_000);
    const before = told(desktop);
    for (let times = 0; times < 4; times++) {
      await desktop.restart();
      await advance(desktop, HOUR);
    }
    expect(told(desktop) - before).toBeLessThanOrEqual(1);
  });

  test("a mark is told as of when it was set, even if the device's clock is set back meanwhile", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    await phone.markRead(id);
    await advance(desktop, 60_000);
    await desktop.tab.send("mark", { keys: [await keyOf(desktop, id)], mark: { kind: "read", on: false } });
    const group = await desktop.world.store.group();
    const aheadMs = (group.ok && group.value?.aheadMs) || 0;
    await desktop.world.store.patchGroup({ aheadMs: aheadMs - HOUR });
    await advance(desktop, 60_000);
    for (const one of [desktop, phone]) expect(await one.read()).toEqual([]);
  });

  test("a device whose clock jumps ahead agrees with the others about what it marked then", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    const group = await phone.world.store.group();
    const aheadMs = (group.ok && group.value?.aheadMs) || 0;
    await phone.world.store.patchGroup({ aheadMs: aheadMs + 365 * 24 * HOUR });
    await phone.markRead(id);
    await advance(desktop, 60_000);
    await desktop.tab.send("mark", { keys: [await keyOf(desktop, id)], mark: { kind: "read", on: false } });
    await advance(desktop, 60_000);
    for (const one of [desktop, phone]) expect(await one.read()).toEqual([]);
  });

  test("a mark by a clock that was ahead doesn't come back as its packet is replayed", async () => {
    const { desktop, phone, server } = await two();
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    await phone.world.store.patchGroup({ aheadMs: 365 * 24 * HOUR });
    const seen = server.requests.length;
    await phone.markRead(id);
    await advance(desktop, 60_000);
    const all = server.requests.slice(seen).flatMap(({ body }) => (body?.includes("earshot-devices") ? [body] : []));
    await desktop.tab.send("mark", { keys: [await keyOf(desktop, id)], mark: { kind: "read", on: false } });
    await advance(desktop, 60_000);
    for (const body of all) {
      const { topic, message } = JSON.parse(body) as { topic: string; message: string };
      server.publish(topic, message);
    }
    await advance(desktop, 60_000);
    for (const one of [desktop, phone]) expect(await one.read()).toEqual([]);
  });
});

test("a topic whose removal is undone on one device keeps its messages on the other", async () => {
  const { desktop, phone, server } = await two();
  const { id } = server.publish("a", "one");
  await advance(desktop, 60_000);
  const subId = await subIdOf(desktop, "a");
  await send(desktop, "unsubscribe", { subId });
  await advance(desktop, 8_000);
  expect(await phone.topics()).toEqual(["a"]);
  server.forget(({ topic }) => topic === "a");
  expect(await desktop.tab.send("restoreSubscription", { subId })).toMatchObject({ ok: true });
  await advance(desktop, 180_000);
  expect((await phone.world.rows("feed")).map((row) => row.id)).toEqual([id]);
});

test("a topic that was removed elsewhere, and subscribed again while this device was away, stays", async () => {
  const { desktop, phone } = await two(["a", "b"]);
  phone.hub.stop();
  await send(desktop, "unsubscribe", { subId: await subIdOf(desktop, "b") });
  await advance(desktop, 120_000);
  await subscribe(desktop, "b");
  await advance(desktop, 60_000);
  await phone.restart();
  await advance(desktop, 120_000);
  for (const one of [desktop, phone]) expect(await one.topics()).toEqual(["a", "b"]);
});

test("a removal that is undone before the devices were compared stays undone", async () => {
  const { desktop, phone } = await two(["a", "b"]);
  const subId = await subIdOf(desktop, "b");
  desktop.hub.stop();
  await desktop.world.store.removeSubscription(subId, desktop.world.time.now());
  await desktop.world.store.restoreSubscription(subId);
  await desktop.restart();
  await advance(desktop, 120_000);
  for (const one of [desktop, phone]) expect(await one.topics()).toEqual(["a", "b"]);
});

test("a deletion is told once it can't be undone any more, and not if it was undone", async () => {
  const { desktop, phone, server } = await two();
  const ids = ["one", "two"].map((text) => server.publish("a", text).id);
  await advance(desktop, 60_000);
  const shown = async () => (await phone.world.rows("feed")).map(({ id }) => id).sort();
  const [first, second] = [await keyOf(desktop, ids[0] ?? ""), await keyOf(desktop, ids[1] ?? "")];
  for (const keys of [[first], [second]])
    expect(await desktop.tab.send("mark", { mark: { kind: "deleted", on: true }, keys })).toMatchObject({ ok: true });
  await advance(desktop, 30_000);
  expect(await shown()).toEqual(ids);
  expect((await desktop.member()).waiting).toBe(2);
  await desktop.world.store.mark([second], { kind: "deleted", on: false }, desktop.world.time.now());
  await advance(desktop, 60_000);
  expect(await shown()).toEqual(ids.slice(1));
});

test("a topic whose record is damaged on one device stays on the others, and comes back", async () => {
  const { desktop, phone, server } = await two(["a", "b"]);
  await advance(desktop, 60_000);
  phone.hub.stop();
  await damage(phone, await subIdOf(phone, "b"));
  expect(await phone.topics()).toEqual(["a"]);
  await phone.restart();
  await advance(desktop, 180_000);
  for (const one of [desktop, phone]) expect(await one.topics()).toEqual(["a", "b"]);
  const { id } = server.publish("b", "one");
  await advance(desktop, 60_000);
  expect((await phone.world.rows("feed")).map((row) => row.id)).toContain(id);
});

test("the group's topic is listened to again after its server couldn't be read", async () => {
  const { desktop, phone, server } = await two();
  const { id } = server.publish("a", "one");
  await advance(desktop, 60_000);
  let failing = false;
  phone.hub.stop();
  const hub = phone.world.startHub({
    wrapStore: (store) =>
      over(store, {
        serverTables: () =>
          failing ? Promise.resolve(fail({ kind: "failed", text: "the disk hangs" })) : store.serverTables(),
      }),
  });
  phone.tab = phone.world.openTab(hub);
  await advance(phone, 5_000);
  failing = true;
  server.cut();
  await advance(phone, 5_000);
  failing = false;
  await desktop.markRead(id);
  await advance(desktop, 120_000);
  expect(await phone.read()).toEqual([id]);
});

test("packets aren't handed on to Google's push service", async () => {
  const { desktop } = await two();
  const packets = desktop.world.server.requests.filter(({ body }) => body?.includes("earshot-devices"));
  for (const { url } of packets) expect(url.searchParams.get("firebase")).toBe("no");
});

test("a server that moves on one device moves on the other, with its messages", async () => {
  const { desktop, phone, server } = await two(["a", "b"]);
  const { id } = server.publish("a", "one");
  const elsewhere = await secondAddress(desktop, phone);
  await send(phone, "patchSubscription", { subId: await subIdOf(phone, "b"), patch: { displayName: "Bee" } });
  await advance(desktop, 60_000);
  await send(desktop, "patchServer", { serverId: 1, move: { address: elsewhere, keepsSignIn: true } });
  await advance(desktop, 180_000);
  for (const each of [desktop, phone]) {
    const { servers } = await each.world.store.reader.catalogue();
    expect(servers).toMatchObject([{ address: elsewhere }]);
    expect(await each.topics()).toEqual(["Bee", "a"]);
    expect((await each.world.rows("feed")).map((row) => row.id)).toEqual([id]);
  }
  await phone.markRead(id);
  await advance(desktop, 60_000);
  expect(await desktop.read()).toEqual([id]);
});

test("what only a newcomer has saved as views is added to the group's", async () => {
  const desktop = await device();
  await start(desktop);
  await send(desktop, "setViews", { views: [{ name: "Both", link: "#/~urgent" }] });
  const phone = await device(desktop);
  const own = ["Both", "Mine"].map((name) => ({ name, link: "#/~starred" }));
  await send(phone, "setViews", { views: own });
  await join(desktop, phone);
  await advance(desktop, 120_000);
  for (const { world } of [desktop, phone]) {
    const { views } = await world.store.reader.catalogue();
    expect(views.map(({ name, link }) => [name, link])).toEqual([
      ["Both", "#/~urgent"],
      ["Mine", "#/~starred"],
    ]);
  }
});

test("a device that joins again brings no mark back that one with a fast clock had told it", async () => {
  const desktop = await device(undefined, { aheadMs: 2 * HOUR });
  await start(desktop);
  const phone = await device(desktop);
  await join(desktop, phone);
  const { id } = desktop.world.server.publish("a", "one");
  await advance(desktop, 60_000);
  await desktop.markRead(id);
  await advance(desktop, 60_000);
  expect(await phone.read()).toEqual([id]);
  await phone.tab.send("leaveGroup", {});
  await advance(desktop, 60_000);
  const keys = [await keyOf(desktop, id)];
  await desktop.tab.send("mark", { keys, mark: { kind: "read", on: false } });
  await advance(desktop, 60_000);
  await join(desktop, phone);
  await advance(desktop, 60_000);
  for (const one of [desktop, phone]) expect(await one.read()).toEqual([]);
});

test("a closed device hears at its next push what was read elsewhere, and its notification goes", async () => {
  const { desktop, phone, server } = await two();
  const { id } = server.publish("a", "one");
  await advance(desktop, 60_000);
  phone.hub.stop();
  await desktop.markRead(id);
  await advance(desktop, 60_000);
  expect(await phone.read()).toEqual([]);
  const pushed = new Pushed(phone.world);
  const hear = async () => {
    const heard = hearTold(pushed.worker());
    await advance(desktop, 1_000);
    await heard;
  };
  pushed.isInSight = true;
  await hear();
  expect(await phone.read()).toEqual([]);
  pushed.isInSight = false;
  await hear();
  expect(await phone.read()).toEqual([id]);
  expect(pushed.closed).toEqual([expect.stringContaining(id)]);
  expect(pushed.badge).toBe(0);
  await phone.restart();
  await advance(desktop, 60_000);
  expect(await phone.read()).toEqual([id]);
});

test("what was read elsewhere of an older version takes away no notification of a newer one", async () => {
  const { desktop, phone, server } = await two();
  const { id } = server.publish("a", "one");
  await advance(desktop, 60_000);
  phone.hub.stop();
  await desktop.markRead(id);
  await advance(desktop, 60_000);
  const event = server.publish("a", "one, later", { sequence_id: id });
  const arrivals = [{ subId: await subIdOf(phone, "a"), event, via: "push" as const }];
  const nowMs = phone.world.time.now();
  await phone.world.store.ingest({ arrivals, nowMs, serverNowS: event.time, alerts: true });
  const pushed = new Pushed(phone.world);
  const heard = hearTold(pushed.worker());
  await advance(desktop, 1_000);
  await heard;
  expect(pushed.closed).toEqual([]);
  expect(pushed.badge).toBe(1);
});

test("a newcomer that was closed before it was answered hears the answer at its next push", async () => {
  const desktop = await device();
  await start(desktop);
  const { id } = desktop.world.server.publish("a", "one");
  const phone = await device(desktop);
  await subscribe(phone, "a");
  await advance(desktop, 3_000);
  await desktop.markRead(id);
  await joinUnanswered(desktop, phone);
  phone.hub.stop();
  await desktop.restart();
  await advance(desktop, 60_000);
  const heard = hearTold(new Pushed(phone.world).worker());
  await advance(desktop, 1_000);
  await heard;
  expect(await phone.read()).toEqual([id]);
});

test("a device that was removed reaches no closed device by a push", async () => {
  const { desktop, phone, server } = await two();
  const laptop = await device(desktop);
  await join(desktop, laptop, "laptop");
  const { id } = server.publish("a", "one");
  await advance(desktop, 60_000);
  const left = await laptop.world.store.group();
  phone.hub.stop();
  const { devices } = await desktop.member();
  const deviceId = devices.find(({ name }) => name === "laptop")?.deviceId ?? "";
  expect(await desktop.tab.send("removeDevice", { deviceId })).toMatchObject({ ok: true });
  await advance(desktop, 5_000);
  const { key = "", topic = "", counter = 0 } = left.ok ? (left.value ?? {}) : {};
  const [row] = await phone.world.rows("feed");
  const name = { address: server.address, topic: "a", time: row?.time ?? 0, id };
  const stamp = stampAt(desktop.world.time.now(), deviceId);
  const registers = [{ key: markKey("deleted", name), value: desktop.world.time.now(), stamp }];
  const packet = { deviceId, counter: counter + 9, heard: {}, said: { kind: "changes" as const, registers } };
  const { text } = await seal(await keyOfGroup({ key }), packet, crypto.getRandomValues(new Uint8Array(12)));
  server.publish(topic, text);
  const heard = hearTold(new Pushed(phone.world).worker());
  await advance(desktop, 1_000);
  await heard;
  expect((await phone.world.rows("feed")).map((one) => one.id)).toEqual([id]);
});

test("a member that isn't let into another group stays in its own", async () => {
  const { desktop, phone } = await two();
  const other = await device(desktop);
  await start(other, ["z"]);
  const invitation = await invite(other);
  await phone.tab.send("joinGroup", { invitation, deviceName: "phone" });
  await advance(desktop, 1_000);
  await other.tab.send("endInvitation", {});
  await advance(desktop, 5_000);
  expect((await phone.member()).devices).toHaveLength(2);
  expect((await desktop.member()).devices).toHaveLength(2);
  // The page shows the digits until it has heard of the end.
  await phone.tab.send("endInvitation", {});
  expect((await phone.member()).devices).toHaveLength(2);
  await phone.tab.send("leaveGroup", {});
  expect(await phone.state(), "at the first press").toEqual({ kind: "alone" });
});

test("a device that no longer asks to join stays in its group", async () => {
  const { desktop, phone } = await two();
  const other = await device(desktop);
  await start(other, ["z"]);
  await phone.tab.send("joinGroup", { invitation: await invite(other), deviceName: "phone" });
  await advance(desktop, 1_000);
  await phone.tab.send("endInvitation", {});
  const { joining } = await other.member();
  expect(await other.tab.send("letIn", { deviceId: joining?.deviceId ?? "", withSignIns: false })).toMatchObject({
    ok: true,
  });
  await advance(desktop, 5_000);
  expect((await phone.member()).devices.map(({ name }) => name).sort()).toEqual(["desktop", "phone"]);
});

test("what is marked elsewhere while a topic is removed here is marked once that is undone", async () => {
  const { desktop, phone, server } = await two();
  const { id } = server.publish("a", "one");
  await advance(desktop, 60_000);
  const subId = await subIdOf(phone, "a");
  await desktop.markRead(id);
  await advance(desktop, 300);
  await send(phone, "unsubscribe", { subId });
  await advance(desktop, 400);
  expect(await phone.tab.send("restoreSubscription", { subId })).toMatchObject({ ok: true });
  await advance(desktop, 60_000);
  expect(await phone.read()).toEqual([id]);
});

describe("removing a device", () => {
  const removeDevice = async (one: Device, name: string) => {
    const { devices } = await one.member();
    return one.tab.send("removeDevice", { deviceId: devices.find((each) => each.name === name)?.deviceId ?? "" });
  };

  test("two that each put one out at the same time go on together", async () => {
    const { desktop, phone, server } = await two();
    for (const name of ["laptop", "tablet"]) await join(desktop, await device(desktop), name);
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    await Promise.all([removeDevice(desktop, "laptop"), removeDevice(phone, "tablet")]);
    await advance(desktop, 60_000);
    await desktop.markRead(id);
    await advance(desktop, 60_000);
    expect(await phone.read()).toEqual([id]);
    expect((await phone.member()).devices).toHaveLength((await desktop.member()).devices.length);
  });

  test("one whose worker ends as soon as it has said so follows the others", async () => {
    const { desktop, phone, server } = await two();
    const laptop = await device(desktop);
    await join(desktop, laptop, "laptop");
    const { id } = server.publish("a", "one");
    await advance(desktop, 60_000);
    const { patchGroup } = desktop.world.store;
    desktop.world.store.patchGroup = () => new Promise(() => undefined);
    // Its worker ends before it answers.
    void removeDevice(desktop, "laptop").catch(() => undefined);
    await advance(desktop, 1_000);
    desktop.world.store.patchGroup = patchGroup;
    await desktop.restart();
    await advance(desktop, 60_000);
    await desktop.markRead(id);
    await advance(desktop, 60_000);
    expect(await phone.read()).toEqual([id]);
    expect(await laptop.state()).toEqual({ kind: "ended", why: "removed" });
  });

  test.each([false, true])(
    "one that was away for days hears that it was removed, even if nobody else is left (outage: %s)",
    async (isOut) => {
      const { desktop, phone, server } = await two();
      phone.hub.stop();
      server.cut();
      await removeDevice(desktop, "phone");
      await advance(desktop, HOUR);
      desktop.hub.stop();
      await desktop.world.time.sleep(72 * HOUR);
      server.forget();
      if (isOut) server.intercept = ({ method }) => (method === "POST" ? "network-error" : undefined);
      await desktop.restart();
      await advance(desktop, 60_000);
      server.intercept = undefined;
      if (isOut) await advance(desktop, 2 * HOUR);
      await phone.restart();
      await advance(desktop, 60_000);
      expect(await phone.state()).toEqual({ kind: "ended", why: "removed" });
    },
  );
});

test("a device that was restored from another's profile hears its twin", async () => {
  const { desktop, phone, server } = await two();
  const group = await phone.world.store.group();
  const twin = await device(desktop);
  await subscribe(twin, "a");
  await twin.world.store.setGroup((group.ok && group.value) || null);
  await twin.restart();
  const { id } = server.publish("a", "one");
  await advance(desktop, 60_000);
  await phone.markRead(id);
  await advance(desktop, 60_000);
  for (const one of [desktop, twin]) expect(await one.read()).toEqual([id]);
});

test("the group's topic is shown nowhere", async () => {
  const { desktop } = await two();
  const { id } = desktop.world.server.publish("a", "one");
  await advance(desktop, 60_000);
  await desktop.markRead(id);
  await advance(desktop, 60_000);
  const topic = stateTopic(desktop);
  const shown = JSON.stringify([
    await desktop.world.store.reader.catalogue(),
    await desktop.world.rows("feed"),
    await desktop.tab.send("status", {}),
    await desktop.member(),
    desktop.tab.events,
  ]);
  expect(topic).toHaveLength(27);
  expect(shown).not.toContain(topic);
});
