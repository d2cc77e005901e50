import type { StoredMessage } from "../../src/contract";
import { markingAll } from "../hub/marking-all";
import { Traffic } from "../newer-server";
import type { Random } from "./random";
import { NO_FAULTS, type NetworkFaults } from "./sim-network";
import { withScenes } from "./scenes";
import { ADA, LOGIN, TOPICS, type Profile, type SimWorld } from "./sim-world";
import {
  changeSequence,
  cutAll,
  HOUR_MS,
  lifeGoesOn,
  lifeGoesOnUnseen,
  MINUTE_MS,
  publish,
  SECOND_MS,
  type Step,
} from "./traffic";

type Kind = "life" | "network" | "server" | "device" | "workers" | "user" | "disk";

/** What can happen, with its weight and kind; each run draws how much of each kind it gets. */
const STEPS: readonly (readonly [weight: number, kind: Kind, step: Step])[] = [
  [10, "life", { name: "publish", run: publish }],
  [4, "life", { name: "burst", run: (world) => repeat(world.random.int(2, 12), () => publish(world)) }],
  [4, "life", { name: "schedule", run: schedule }],
  [2, "life", { name: "slow upload", run: slowUpload }],
  [
    2,
    "life",
    { name: "uncached", run: (world) => void world.server.publish(world.random.pick(TOPICS), { uncached: true }) },
  ],
  [4, "life", { name: "update, delete or clear", run: sequenceEvent }],
  [10, "life", { name: "seconds", run: (world) => world.pass(world.random.int(1, 30) * SECOND_MS) }],
  [6, "life", { name: "minutes", run: (world) => world.pass(world.random.int(30, 400) * SECOND_MS) }],
  [1, "life", { name: "an hour", run: (world) => lifeGoesOnUnseen(world, world.random.int(10, 70) * MINUTE_MS) }],

  [4, "network", { name: "cut", run: (world) => cutAll(world) }],
  [3, "network", { name: "bodies break", run: (world) => during(world, { cut: 0.6 }) }],
  [2, "network", { name: "polls end in mid-line", run: (world) => during(world, { truncated: 0.7 }) }],
  [3, "network", { name: "half-open", run: (world) => during(world, { stalled: 0.6 }) }],
  [3, "network", { name: "open ones fall silent", run: fallSilent }],
  [3, "network", { name: "no network", run: outage }],
  [2, "network", { name: "requests swallowed", run: (world) => during(world, { blackHole: true }) }],
  [
    3,
    "network",
    {
      name: "page of a proxy",
      run: (world) => during(world, { proxyStatus: world.random.pick([200, 403, 404, 502, 503]) }),
    },
  ],
  [2, "network", { name: "something else answers", run: impostor }],
  [2, "network", { name: "buffering proxy", run: buffering }],
  [2, "network", { name: "garbage", run: (world) => during(world, { garbage: 0.3 }) }],
  [2, "network", { name: "errors inside bodies", run: (world) => during(world, { failing: 0.6 }) }],

  [3, "server", { name: "restart", run: (world) => restart(world, true) }],
  [1, "server", { name: "restart without cache", run: (world) => restart(world, false) }],
  [2, "server", { name: "ration used up", run: (world) => world.server.useUpRation() }],
  [1, "server", { name: "topic forbidden", run: forbid }],
  [2, "server", { name: "password changed", run: changePassword }],
  [1, "server", { name: "server clock jumps", run: (world) => jump(world, (byMs) => world.server.setClock(byMs)) }],
  [1, "server", { name: "server clock is set back", run: clockSetBack }],

  [3, "device", { name: "sleep", run: sleep }],
  [1, "device", { name: "device clock jumps", run: (world) => jump(world, (byMs) => world.setDeviceClock(byMs)) }],

  [3, "workers", { name: "tab opens", run: (world) => void world.device.openTab() }],
  [1, "workers", { name: "tab of a newer build opens", run: (world) => void world.device.openTab("2") }],
  [2, "workers", { name: "tab closes", run: (world) => closeTab(world) }],
  [4, "workers", { name: "crash in the middle", run: crash }],
  [2, "workers", { name: "frozen", run: freeze }],
  [2, "workers", { name: "tab put aside", run: putAside }],

  [3, "user", { name: "resume", run: (world) => world.tab.send("resume", {}) }],
  [2, "user", { name: "delete", run: deleteSome }],
  [1, "user", { name: "read", run: readAll }],
  [1, "user", { name: "refresh", run: refresh }],
  [1, "user", { name: "subscribe late", run: (world) => world.subscribe(["late"]) }],
  [1, "user", { name: "subscribe from now on", run: (world) => world.subscribe(["now"], { history: "now" }) }],
  [
    2,
    "user",
    { name: "subscribe with credentials", run: (world) => world.subscribe(["secret"], { credentials: ADA }) },
  ],
  [2, "user", { name: "unsubscribe", run: unsubscribe }],
  [1, "user", { name: "keep few", run: keepFew }],

  [2, "disk", { name: "full disk", run: fullDisk }],
  [1, "disk", { name: "full disk to the end", run: fillDisk }],
];

const KINDS: readonly Kind[] = ["network", "server", "device", "workers", "user", "disk"];

/** Codes with which a server may refuse everything: what each means, and some that nobody knows yet. */
const REFUSALS = [40008, 40009, 40010, 40099, 40101, 40301, 40399, 40401, 41399, 42299];
const BUSY = [42901, 42903, 42904, 42905, 42909, 42911, 42999];

/** The server refuses everything of a kind for a while. */
const REFUSE: Step = {
  name: "everything refused",
  run: async (world) => {
    const { random, device } = world;
    const code = random.pick([...REFUSALS, ...BUSY]);
    const what = random.pick(["all", "all", "streams", "polls", "lists"] as const);
    device.network.faults = { ...NO_FAULTS, refusing: { code, what } };
    if (random.chance(0.7)) cutAll(world);
    const isOpen = random.chance(0.5);
    for (let minutes = random.int(5, 40); minutes > 0; minutes--) {
      if (isOpen) for (const tab of device.tabs) tab.send("ping", { inSight: true });
      await lifeGoesOn(world, MINUTE_MS);
    }
    device.network.faults = NO_FAULTS;
    world.tryNow();
  },
};

/** What polls may transfer is used up for a while. */
const METER: Step = {
  name: "polls metered",
  run: async (world) => {
    const { random, device, schedule } = world;
    device.network.faults = {
      ...NO_FAULTS,
      traffic: new Traffic(random.int(0, 2_000), random.int(0, 20), schedule.nowMs),
    };
    cutAll(world);
    await lifeGoesOn(world, random.int(5, 40) * MINUTE_MS);
    device.network.faults = NO_FAULTS;
    world.tryNow();
  },
};

/** Meanwhile more comes than a replay holds. */
const FLOOD: Step = {
  name: "more than a replay holds",
  run: async (world) => {
    const { random, device, server } = world;
    device.network.faults = { ...NO_FAULTS, offline: true };
    cutAll(world);
    for (let left = random.int(20, 80); left > 0; left--) {
      server.publish(random.pick(TOPICS.slice(0, 2)));
      await world.pass(random.int(0, 5) * SECOND_MS);
    }
    device.network.faults = NO_FAULTS;
    world.tryNow();
  },
};

/** Draws the steps of a run. Each run has some kinds of faults, seldom all, as frequent kinds would hide the rare ones. */
export function drawSteps(random: Random, profile: Profile | undefined, isLong: boolean): Step[] {
  const share = new Map<Kind, number>([["life", 1]]);
  for (const kind of KINDS) share.set(kind, random.chance(0.5) ? random.next() * 1.5 : 0);
  const choices = STEPS.map(([weight, kind, step]) => [weight * (share.get(kind) ?? 0), step] as const);
  const count = isLong ? random.int(8, 40) : random.int(4, 20);
  const steps = Array.from({ length: count }, () => random.weighted(choices));
  if (profile === "refusals") steps.splice(random.int(0, steps.length), 0, METER, REFUSE, REFUSE);
  if (profile === "cut replays") steps.splice(random.int(0, steps.length), 0, FLOOD, FLOOD);
  return withScenes(steps, random);
}

/** Ends all faults and lets two reconciling polls pass. */
export async function calm(world: SimWorld): Promise<void> {
  const { device, server, schedule } = world;
  device.network.faults = NO_FAULTS;
  device.disk.full = 0;
  server.start();
  server.forbidden.clear();
  server.logins.add(LOGIN);
  for (const { actor } of [...device.tabs, ...device.workers]) schedule.wake(actor);
  if (device.tabs.length === 0) device.openTab();
  await world.pass(30 * SECOND_MS);
  for (const tab of device.tabs) {
    tab.send("setOnline", { online: true });
    tab.send("resume", {});
  }
  world.tryNow();
  // Long enough to notice a dead stream, for the longest wait before a retry, and for two reconciling polls.
  await world.pass(15 * MINUTE_MS);
}

/** Every tab shows what was done in another within this time, ms. */
const SHOWN_WITHIN_MS = 2_000;

/** Changes something in one tab and on the server, which all tabs then have to show. */
export async function touch(world: SimWorld): Promise<void> {
  readAll(world);
  publish(world);
  deleteSome(world);
  await world.pass(SHOWN_WITHIN_MS);
}

function repeat(times: number, run: () => void): void {
  for (let time = 0; time < times; time++) run();
}

function schedule({ random, server }: SimWorld): void {
  server.publish(random.pick(TOPICS), {
    delayS: random.weighted([
      [3, random.int(10, 60)],
      [2, random.int(60, 1_800)],
      [1, random.int(1_800, 7_200)],
    ]),
  });
}

/** Publishes with an upload of up to what the overlap of the reconciling poll covers. */
function slowUpload({ random, server }: SimWorld): void {
  server.publish(random.pick(TOPICS), { uploadMs: random.int(2, 800) * SECOND_MS });
}

function sequenceEvent(world: SimWorld): void {
  const { random, server } = world;
  const topic = random.pick(TOPICS);
  const known = server.cache.rows.filter((row) => row.event.topic === topic && row.event.event === "message");
  const sequence = known.length > 0 && random.chance(0.4) ? random.pick(known).event.id : `job${random.int(1, 3)}`;
  if (random.chance(0.1)) server.publish(topic, { sequence_id: sequence, delayS: random.int(10, 600) });
  else repeat(random.pick([1, 1, 2, 3]), () => changeSequence(world, topic, sequence));
}

/** Keeps up a fault of the network for a while, during which messages go on being published. */
async function during(world: SimWorld, faults: Partial<NetworkFaults>): Promise<void> {
  const { network } = world.device;
  network.faults = { ...network.faults, ...faults };
  if (world.random.chance(0.5)) cutAll(world);
  await lifeGoesOn(world, world.random.int(5, 240) * SECOND_MS);
  network.faults = NO_FAULTS;
}

function fallSilent(world: SimWorld): void {
  world.device.network.each((connection) => {
    if (world.random.chance(0.7)) connection.isStuck = true;
  });
  world.count("connections fell silent");
}

async function outage(world: SimWorld): Promise<void> {
  const { network, tabs } = world.device;
  network.faults = { ...network.faults, offline: true };
  const isTold = world.random.chance(0.5);
  if (isTold) for (const tab of tabs) tab.send("setOnline", { online: false });
  if (world.random.chance(0.7)) cutAll(world);
  else fallSilent(world);
  const { retentionS } = world.server.manners;
  // Half a day of tries costs as much as all else in a life; a sleep that long costs nothing.
  if (world.random.chance(0.2) && retentionS <= 2 * (HOUR_MS / SECOND_MS))
    await lifeGoesOnUnseen(world, retentionS * 1_000 * 1.2);
  else await lifeGoesOn(world, world.random.int(5, 900) * SECOND_MS);
  network.faults = NO_FAULTS;
  if (isTold) for (const tab of world.device.tabs) tab.send("setOnline", { online: true });
}

/** Lets something else answer in place of the server, such as a router's page, a parked domain or a wrong proxy. */
async function impostor(world: SimWorld): Promise<void> {
  const { random, books, schedule } = world;
  books.impostorSinceMs = schedule.nowMs;
  const type = random.pick(["text/plain", "application/json", "application/octet-stream", "application/x-ndjson"]);
  const body = random.pick(type === "application/x-ndjson" ? ["OK\n", "{}\n"] : ["OK\n", "OK", "", "{}\n", "\n"]);
  await during(world, { impostor: { body, type } });
  books.impostorSinceMs = undefined;
}

async function buffering(world: SimWorld): Promise<void> {
  const held = world.random.pick([["json"], ["json", "sse"], ["json", "ws"], ["json", "sse", "ws"]] as const);
  const buffered = new Set<(typeof held)[number]>(held);
  if (world.random.chance(0.5)) return during(world, { buffered });
  // Long enough for the transports that still work to be chosen.
  cutAll(world);
  world.device.network.faults = { ...world.device.network.faults, buffered };
  await lifeGoesOn(world, world.random.int(5, 40) * MINUTE_MS);
  world.device.network.faults = NO_FAULTS;
}

async function restart(world: SimWorld, keepsCache: boolean): Promise<void> {
  world.count(keepsCache ? "server restarted" : "server restarted without its cache");
  world.server.stop(keepsCache);
  await world.pass(world.random.int(1, 120) * SECOND_MS);
  world.server.start();
}

async function forbid(world: SimWorld): Promise<void> {
  const topic = world.random.pick(TOPICS);
  world.count("topic forbidden");
  world.server.forbidden.add(topic);
  cutAll(world);
  await lifeGoesOn(world, world.random.int(10, 300) * SECOND_MS);
  world.server.forbidden.delete(topic);
  world.tryNow();
}

/** Makes the credentials wrong for a while. The user may try them meanwhile, and does once they are right again. */
async function changePassword(world: SimWorld): Promise<void> {
  const { server, random } = world;
  world.count("password changed");
  server.logins.delete(LOGIN);
  if (random.chance(0.7)) cutAll(world);
  await lifeGoesOn(world, random.int(10, 400) * SECOND_MS);
  if (random.chance(0.3)) {
    world.tryNow();
    await lifeGoesOn(world, random.int(10, 400) * SECOND_MS);
  }
  server.logins.add(LOGIN);
  const [serverId] = world.serverIds;
  if (serverId === undefined || random.chance(0.5)) return world.tryNow();
  const subIds = world.subscriptions.filter((one) => one.topic === "secret").map(({ subId }) => subId);
  world.books.loginAskedAtMs = world.schedule.nowMs;
  world.tab.send("setCredentials", { serverId, subIds, credentials: ADA });
}

function jump(world: SimWorld, by: (ms: number) => void): void {
  world.count("clock jumped");
  by(world.random.pick([-1, 1]) * world.random.pick([2 * SECOND_MS, 40 * SECOND_MS, 20 * MINUTE_MS, 26 * HOUR_MS]));
}

/** Sets the server's clock back by more than the rest of the run, so that earlier times stay in its future. */
function clockSetBack(world: SimWorld): void {
  world.count("clock jumped");
  world.server.setClock(-world.random.int(2, 30) * HOUR_MS);
}

async function sleep(world: SimWorld): Promise<void> {
  const { random, device, server } = world;
  world.count("device slept");
  if (random.chance(0.5)) cutAll(world);
  else fallSilent(world);
  const isLong = random.chance(0.25);
  const ms = isLong ? server.manners.retentionS * 1_000 * (0.5 + random.next() * 2) : random.int(10, 3_600) * SECOND_MS;
  publish(world);
  await device.sleep(Math.round(ms / 2), random.chance(0.5));
  publish(world);
  await device.sleep(Math.round(ms / 2), random.chance(0.5));
  if (random.chance(0.6)) for (const tab of device.tabs) tab.send("resume", {});
}

function closeTab(world: SimWorld): void {
  if (world.device.tabs.length > 1) world.device.closeTab(world.tab);
}

/** Ends a worker after some more of its tasks, at any point of what it does. */
async function crash(world: SimWorld): Promise<void> {
  const { device, random, schedule } = world;
  const [worker] = device.workers.length > 0 ? [random.pick(device.workers)] : [];
  if (!worker) return;
  schedule.ambush(worker.actor, random.int(1, 60), () => {
    world.count("worker died");
    device.kill(worker);
  });
  publish(world);
  await world.pass(random.int(1, 40) * SECOND_MS);
}

async function freeze(world: SimWorld): Promise<void> {
  const { device, random } = world;
  const workers = device.workers.filter((worker) => !world.schedule.isAsleep(worker.actor));
  if (workers.length === 0) return;
  const worker = random.pick(workers);
  device.freeze(worker);
  for (const tab of device.tabs) if (tab.worker === worker && !device.isShared) world.schedule.suspend(tab.actor);
  await lifeGoesOn(world, random.int(5, 200) * SECOND_MS);
  if (random.chance(0.3)) return;
  device.thaw(worker);
  for (const tab of device.tabs) if (tab.worker === worker) world.schedule.wake(tab.actor);
}

/** Freezes a page as a browser does: its own worker ends, and it starts another when it is back. */
async function putAside(world: SimWorld): Promise<void> {
  const { tab } = world;
  if (world.device.isShared) return;
  world.count("tab put aside");
  world.device.kill(tab.worker);
  await world.pass(world.random.int(0, 3) * SECOND_MS);
  world.schedule.suspend(tab.actor);
  await lifeGoesOn(world, world.random.int(5, 200) * SECOND_MS);
  world.schedule.wake(tab.actor);
  tab.send("resume", {});
}

function deleteSome(world: SimWorld): void {
  const known = new Set(world.subscriptions.map(({ subId }) => subId));
  const rows = world.device.disk
    .read<StoredMessage>("messages")
    .filter((row) => known.has(row.subId) && !row.scheduled && row.deletedAtMs === undefined);
  if (rows.length === 0) return;
  const { subId, time, id } = world.random.pick(rows);
  world.books.deletionAsked.add(`${subId}/${id}`);
  world.tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [[subId, time, id]] });
}

function readAll(world: SimWorld): void {
  world.books.isReadingAsked = true;
  world.tab.send("mark", markingAll(world.subscriptions.map(({ subId }) => subId)));
}

function refresh(world: SimWorld): void {
  for (const serverId of world.serverIds) world.tab.send("refresh", { serverId });
}

/** Removes a topic, and undoes that in time, too late, or not at all. */
async function unsubscribe(world: SimWorld): Promise<void> {
  const { random } = world;
  const others = world.subscriptions.filter(({ topic }) => topic !== "a");
  if (others.length === 0) return;
  const { subId, topic } = random.pick(others);
  world.count("topic removed");
  world.tab.send("unsubscribe", { subId });
  await lifeGoesOn(world, random.int(0, 90) * SECOND_MS);
  const next = random.weighted([
    [5, "undo"],
    [2, "add anew"],
    [2, "leave"],
  ] as const);
  if (next === "undo") world.tab.send("restoreSubscription", { subId });
  if (next === "add anew") world.subscribe([topic], topic === "secret" ? { credentials: ADA } : {});
}

/** Lets the device keep few messages: the oldest are pruned and stay away. */
function keepFew(world: SimWorld): void {
  world.count("few are kept");
  world.tab.send("setSetting", { key: "keepMessages", value: world.random.int(1, 20) });
  world.tab.send("prune", {});
}

async function fullDisk(world: SimWorld): Promise<void> {
  world.books.hadFullDisk = true;
  world.device.disk.full = world.random.pick([0.3, 1]);
  await lifeGoesOn(world, world.random.int(5, 200) * SECOND_MS);
  world.device.disk.full = 0;
}

/** Fills the disk until all faults end. */
function fillDisk(world: SimWorld): void {
  world.books.hadFullDisk = true;
  world.device.disk.full = 1;
}
