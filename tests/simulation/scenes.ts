import type { Random } from "./random";
import { NO_FAULTS } from "./sim-network";
import { TOPICS, type SimWorld } from "./sim-world";
import { changeSequence, cutAll, HOUR_MS, lifeGoesOn, publish, SECOND_MS, type Step } from "./traffic";

/**
 * Faults in an order that chance alone seldom finds. In each scene, only one rule of the sync prevents an error
 * (docs/simulation.md).
 */
const SCENES: readonly (readonly [weight: number, scene: Step])[] = [
  [2, { name: "scene: a slow upload that no stream brings", run: slowUploadUnseen }],
  [2, { name: "scene: a reminder falls due between the return and the stream", run: dueOnReturn }],
  [1, { name: "scene: the server loses what is scheduled", run: scheduledLost }],
  [2, { name: "scene: the server loses its cache while nobody listens", run: cacheLostUnheard }],
  [1, { name: "scene: an update named after a version of another sequence", run: namedAfterVersion }],
  [5, { name: "scene: several things happen to an item within a second", run: withinASecond }],
  [1, { name: "scene: the device's clock is set back while a poll hangs", run: setBackWhileHanging }],
  [2, { name: "scene: the device sleeps while it subscribes from now on", run: sleepsAsItSubscribes }],
  [2, { name: "scene: no stream tells from when on now is", run: subscribesWithoutStream }],
  [2, { name: "scene: errors inside bodies after an outage", run: failingAfterOutage }],
  [2, { name: "scene: a removal is undone, and the device sleeps", run: undoneBeforeSleep }],
  [2, { name: "scene: the server's clock is set on during an upload", run: setOnWhileUploading }],
  [2, { name: "scene: what was said while the device slept lies in buffers", run: heardFromBuffers }],
];

/** The last step of a storm, as any step after it would hide its effect. */
const LAST: Step = { name: "scene: the leader dies as it has stored", run: diesAsItHasStored };

/** Adds scenes to the steps of a storm. */
export function withScenes(steps: readonly Step[], random: Random): Step[] {
  const all = [...steps];
  for (let count = random.int(0, 2); count > 0; count--) {
    all.splice(random.int(0, all.length), 0, random.weighted(SCENES));
  }
  if (random.chance(0.3)) all.push(LAST);
  return all;
}

/** Longer than the interval of the reconciling polls, so that their cursor passes its stamp before it is accepted. */
async function slowUploadUnseen(world: SimWorld): Promise<void> {
  const { server, random } = world;
  const uploadMs = random.int(400, 850) * SECOND_MS;
  const { dropped } = server.manners;
  server.publish(random.pick(TOPICS), { uploadMs });
  await world.pass(uploadMs - 5 * SECOND_MS);
  server.manners.dropped = 1;
  await world.pass(10 * SECOND_MS);
  publish(world);
  server.manners.dropped = dropped;
  await world.pass(330 * SECOND_MS);
}

/**
 * The first poll after a sleep moves the id past a reminder that is not due yet, and does not list it, as the server's
 * clock is doubted. It is delivered before any stream is open.
 */
async function dueOnReturn(world: SimWorld): Promise<void> {
  const { server, random, device } = world;
  const sleepS = random.int(60, 900);
  cutAll(world);
  server.publish(random.pick(TOPICS), { delayS: sleepS + random.int(2, 5) });
  device.network.faults = { ...NO_FAULTS, offline: true };
  await world.pass(2 * SECOND_MS);
  publish(world);
  await device.sleep(sleepS * SECOND_MS - 2 * SECOND_MS, false);
  device.network.faults = { ...NO_FAULTS, buffered: new Set(["json", "sse", "ws"]) };
  for (const tab of device.tabs) tab.send("resume", {});
  await world.pass(random.int(20, 60) * SECOND_MS);
  device.network.faults = NO_FAULTS;
}

/** No event announces the loss: the only sign is that the messages are missing from a poll. */
async function scheduledLost(world: SimWorld): Promise<void> {
  const { server, random } = world;
  for (let count = random.int(1, 4); count > 0; count--) {
    server.publish(random.pick(TOPICS), { delayS: random.int(3_000, 20_000) });
  }
  await world.pass(random.int(300, 400) * SECOND_MS);
  world.count("server restarted without its cache");
  server.stop(false);
  await world.pass(random.int(1, 60) * SECOND_MS);
  server.start();
}

/**
 * Messages between the last contact and the loss are in no poll: the only sign of the loss is that earlier messages are
 * missing from the polls.
 */
async function cacheLostUnheard(world: SimWorld): Promise<void> {
  const { device, server, random } = world;
  device.network.faults = NO_FAULTS;
  for (const topic of random.chance(0.5) ? ["a"] : ["a", "b"]) server.publish(topic);
  await world.pass(random.int(330, 700) * SECOND_MS);
  if (random.chance(0.3)) server.publish("a");
  await world.pass(random.int(1, 90) * SECOND_MS);
  device.network.faults = { ...NO_FAULTS, offline: true };
  cutAll(world);
  await world.pass(random.int(60, 600) * SECOND_MS);
  for (let count = random.int(1, 4); count > 0; count--) publish(world);
  await world.pass(random.int(1, 60) * SECOND_MS);
  world.count("server restarted without its cache");
  server.stop(false);
  await world.pass(random.int(1, 60) * SECOND_MS);
  server.start();
  for (let count = random.int(0, 30); count > 0; count--) publish(world);
  await world.pass(random.int(1, 300) * SECOND_MS);
  device.network.faults = NO_FAULTS;
  for (const tab of device.tabs) tab.send("resume", {});
  await world.pass(random.int(1, 30) * SECOND_MS);
}

/** The version stays in its own sequence, even if another sequence has its id as a name. */
async function namedAfterVersion(world: SimWorld): Promise<void> {
  const { server, random } = world;
  const topic = random.pick(TOPICS);
  const version = server.publish(topic, { sequence_id: `named${random.int(1, 3)}` });
  await world.pass(random.int(1, 30) * SECOND_MS);
  server.publish(topic, { sequence_id: version.id });
  await world.pass(random.int(1, 30) * SECOND_MS);
}

/** The stream swaps or leaves out some of it, or an answer for several topics brings it, in any order. */
async function withinASecond(world: SimWorld): Promise<void> {
  const { device, server, random } = world;
  const { swapped, dropped, retentionS } = server.manners;
  device.network.faults = NO_FAULTS;
  for (let rounds = random.int(1, 4); rounds > 0; rounds--) {
    const topic = random.pick(["a", "a", "b"]);
    const sequence = `item${random.int(1, 2)}`;
    if (random.chance(0.5)) {
      server.publish(topic, { sequence_id: sequence });
      await world.pass(random.int(1, 20) * SECOND_MS);
    }
    server.manners.swapped = random.pick([0, 0.5]);
    if (retentionS >= 900) server.manners.dropped = random.pick([0, 0, 0.4]);
    const isAway = random.chance(0.3);
    if (isAway) {
      device.network.faults = { ...NO_FAULTS, offline: true };
      cutAll(world);
    }
    await world.pass(SECOND_MS - ((world.schedule.nowMs + server.skewMs) % SECOND_MS));
    for (let count = random.int(2, 4); count > 0; count--) {
      changeSequence(world, topic, sequence);
      await world.pass(random.int(0, 200));
    }
    device.network.faults = NO_FAULTS;
    await world.pass(random.int(1, 20) * SECOND_MS);
  }
  Object.assign(server.manners, { swapped, dropped });
}

/** The leader dies between storing and announcing: another hub takes over, whose tabs have heard nothing. */
async function diesAsItHasStored(world: SimWorld): Promise<void> {
  const { device, server, random } = world;
  // Without locks each hub leads, and none takes over.
  if (!device.usesLocks) return;
  device.network.faults = NO_FAULTS;
  // All tabs of a shared worker lose it when it dies, so a worker of another build has to be there.
  const builds = new Set(device.tabs.map(({ worker }) => worker.build));
  if (device.isShared ? builds.size < 2 : device.tabs.length < 2) device.openTab(builds.has("2") ? "1" : "2");
  await world.pass(50 * SECOND_MS);
  const others = world.subscriptions.filter(({ topic }) => topic !== "a");
  if (others.length > 0 && random.chance(0.4)) {
    world.count("topic removed");
    world.tab.send("unsubscribe", { subId: random.pick(others).subId });
    await world.pass(2 * SECOND_MS);
  }
  world.afterStoring = (actor) => {
    const worker = device.workers.find((one) => one.actor === actor);
    if (!worker) return;
    world.count("worker died");
    device.kill(worker);
  };
  for (let tries = 0; tries < 5 && world.afterStoring; tries++) {
    server.publish("a");
    await world.pass(3 * SECOND_MS);
  }
  world.afterStoring = undefined;
  await world.pass(random.int(1, 60) * SECOND_MS);
}

/** After an outage, the server breaks off the bodies of the polls that catch up with an error object. */
async function failingAfterOutage(world: SimWorld): Promise<void> {
  const { device, random } = world;
  device.network.faults = { ...NO_FAULTS, offline: true };
  cutAll(world);
  for (let count = random.int(10, 20); count > 0; count--) {
    world.server.publish(random.pick(["a", "b"]));
    await world.pass(random.int(3, 10) * SECOND_MS);
  }
  device.network.faults = { ...NO_FAULTS, failing: 0.9 };
  for (const tab of device.tabs) tab.send("resume", {});
  await lifeGoesOn(world, random.int(40, 90) * SECOND_MS);
  device.network.faults = NO_FAULTS;
}

/**
 * Messages that came while a topic was removed are gone from the server when the device returns, although the other
 * topics were not away for long enough to lose any.
 */
async function undoneBeforeSleep(world: SimWorld): Promise<void> {
  const { device, server, random } = world;
  const { retentionS } = server.manners;
  const others = world.subscriptions.filter(({ topic }) => topic !== "a");
  if (others.length === 0 || retentionS === 0) return publish(world);
  const { subId, topic } = random.pick(others);
  world.count("topic removed");
  world.tab.send("unsubscribe", { subId });
  await world.pass(3 * SECOND_MS);
  server.publish(topic);
  server.publish("a");
  await world.pass(42 * SECOND_MS);
  for (const tab of device.tabs) tab.send("resume", {});
  await world.pass(5 * SECOND_MS);
  device.network.faults = { ...NO_FAULTS, offline: true };
  cutAll(world);
  world.tab.send("restoreSubscription", { subId });
  await world.pass(SECOND_MS);
  world.count("device slept");
  await device.sleep((retentionS - random.int(5, 12)) * SECOND_MS, false);
  device.network.faults = NO_FAULTS;
  for (const tab of device.tabs) tab.send("resume", {});
  await world.pass(10 * SECOND_MS);
}

/** The message's stamp is further back than the overlap of the reconciling poll, and no stream brings the message. */
async function setOnWhileUploading(world: SimWorld): Promise<void> {
  const { server, random } = world;
  const uploadMs = random.int(200, 800) * SECOND_MS;
  const { dropped } = server.manners;
  server.publish(random.pick(TOPICS), { uploadMs });
  await world.pass(random.int(1, 100) * SECOND_MS);
  world.count("clock jumped");
  server.setClock(random.int(15, 55) * 60 * SECOND_MS);
  await world.pass(uploadMs - 100 * SECOND_MS);
  server.manners.dropped = 1;
  await world.pass(101 * SECOND_MS);
  publish(world);
  server.manners.dropped = dropped;
  await world.pass(330 * SECOND_MS);
}

/**
 * A live message and the keepalives of half the time wait in buffers. By these, less time has passed than the server
 * keeps messages, and no stream corrects that before the first poll.
 */
async function heardFromBuffers(world: SimWorld): Promise<void> {
  const { device, server } = world;
  const { retentionS, dropped } = server.manners;
  device.network.faults = NO_FAULTS;
  for (const tab of device.tabs) tab.send("resume", {});
  await world.pass(20 * SECOND_MS);
  server.manners.dropped = 1;
  server.publish("a");
  server.manners.dropped = 0;
  server.publish("a");
  server.manners.dropped = dropped;
  device.network.faults = { ...NO_FAULTS, buffered: new Set(["json", "sse", "ws"]) };
  world.count("device slept");
  await device.sleep(retentionS * 0.6 * SECOND_MS, true);
  await device.sleep(retentionS * 0.6 * SECOND_MS, false);
  await world.pass(10 * SECOND_MS);
  device.network.faults = NO_FAULTS;
}

/** Timeouts for silence depend on a clock that was set back and reaches them a day later. */
async function setBackWhileHanging(world: SimWorld): Promise<void> {
  const { device, server, random } = world;
  device.network.faults = { ...NO_FAULTS, offline: true };
  cutAll(world);
  for (let count = 0; count < 3; count++) server.publish("a");
  await world.pass(3 * SECOND_MS);
  device.network.faults = { ...NO_FAULTS, stalled: 1 };
  for (const tab of device.tabs) tab.send("resume", {});
  await world.pass(2 * SECOND_MS);
  world.count("clock jumped");
  world.setDeviceClock(-26 * HOUR_MS);
  await world.pass(random.int(1, 20) * SECOND_MS);
  device.network.faults = NO_FAULTS;
}

/** "From now on" begins when the user asked for it. */
async function sleepsAsItSubscribes(world: SimWorld): Promise<void> {
  const { device, server, random } = world;
  device.network.faults = NO_FAULTS;
  await world.pass(5 * SECOND_MS);
  world.subscribe(["now"], { history: "now" });
  await world.pass(random.int(20, 200));
  world.count("device slept");
  await device.sleep(90 * SECOND_MS, false);
  server.publish("now");
  await device.sleep(random.int(60, 600) * SECOND_MS, false);
  await world.pass(20 * SECOND_MS);
}

/** Only the device's clock and the cached messages tell the time. */
async function subscribesWithoutStream(world: SimWorld): Promise<void> {
  const { device, server, random } = world;
  cutAll(world);
  device.network.faults = { ...NO_FAULTS, buffered: new Set(["json", "sse", "ws"]) };
  world.subscribe(["now"], { history: "now" });
  await world.pass(random.int(65, 120) * SECOND_MS);
  server.publish("now");
  await world.pass(random.int(1, 30) * SECOND_MS);
  device.network.faults = NO_FAULTS;
}
