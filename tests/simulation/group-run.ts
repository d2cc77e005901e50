import { Broken } from "./books";
import {
  allTold,
  checkBudget,
  checkOut,
  checkStamps,
  checkStores,
  disagreement,
  counted,
  leftToSay,
  lostMark,
  yetToFollow,
} from "./group-rules";
import { GroupWorld, type OwnDevice, UNDO_MS } from "./group-world";
import type { Outcome, RunOptions } from "./run";
import { NO_FAULTS, type NetworkFaults } from "./sim-network";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "./traffic";

const DAY_MS = 24 * HOUR_MS;
const TOPICS = ["a", "b", "c", "d"];

interface Step {
  name: string;
  run(world: GroupWorld): void | Promise<void>;
}

type Kind = "life" | "network" | "server" | "device" | "group" | "strangers";

/** Something that a device which is awake does or meets. */
const on = (name: string, run: (world: GroupWorld, one: OwnDevice) => void | Promise<void>): Step => ({
  name,
  run: async (world) => {
    if (world.awake.length > 0) await run(world, world.random.pick(world.awake));
  },
});

const STEPS: readonly (readonly [weight: number, kind: Kind, step: Step])[] = [
  [8, "life", { name: "publish", run: publish }],
  [14, "life", on("mark", (world, one) => world.mark(one))],
  [3, "life", on("mark several", markSeveral)],
  [2, "life", on("mark and undo at once", markAndUndo)],
  [3, "life", on("undo", (world, one) => world.undo(one))],
  [8, "life", { name: "seconds", run: (world) => world.pass(world.random.int(1, 35) * SECOND_MS) }],
  [1, "life", { name: "minutes", run: (world) => world.pass(world.random.int(1, 4) * MINUTE_MS) }],
  [2, "life", on("subscribe", (world, one) => world.subscribe(one, [world.random.pick(TOPICS)]))],
  [1, "life", on("unsubscribe", unsubscribe)],
  [3, "life", on("look", setLook)],
  [1, "life", on("views", setViews)],
  [1, "life", on("setting", setSetting)],
  [2, "life", { name: "cleared by another app", run: clear }],
  [1, "life", on("page hides", (_, { tab }) => tab.send("ping", { inSight: false }))],

  [3, "network", on("cut", (_, { sim }) => sim.network.each((connection) => connection.cut()))],
  [3, "network", on("no network", (world, one) => during(world, one, { offline: true }))],
  [2, "network", on("answers lost", (world, one) => during(world, one, { cut: 0.6 }))],
  [2, "network", on("half-open", (world, one) => during(world, one, { stalled: 0.6 }))],
  [1, "network", on("requests swallowed", (world, one) => during(world, one, { blackHole: true }))],

  [2, "server", { name: "restart", run: (world) => restart(world, true) }],
  [2, "server", { name: "restart without cache", run: (world) => restart(world, false) }],
  [1, "server", { name: "ration used up", run: ({ server }) => server.useUpRation() }],
  [2, "server", { name: "day used up", run: (world) => void (world.server.messagesLeft = world.random.int(0, 3)) }],
  [2, "server", { name: "next day", run: (world) => void (world.server.messagesLeft = Infinity) }],
  [1, "server", on("busy", (world, one) => during(world, one, { refusing: { code: 42901, what: "messages" } }))],

  [4, "device", on("sleep", (world, one) => world.fallAsleep(one))],
  [4, "device", { name: "wake", run: wakeOne }],
  [2, "device", { name: "all sleep", run: allSleep }],
  [3, "device", on("worker dies", crash)],
  [4, "device", on("clock jumps", jump)],
  [1, "device", on("another tab", (_, { sim }) => void (sim.tabs.length < 3 && sim.openTab()))],
  [
    1,
    "device",
    on("tab closes", (_, { sim }) => void (sim.tabs[0] && sim.tabs.length > 1 && sim.closeTab(sim.tabs[0]))),
  ],

  [2, "group", { name: "join", run: joinOne }],
  [1, "group", on("removed", removeDevice)],
  [1, "group", on("leave", leave)],

  [2, "strangers", { name: "strangers", run: strangers }],
];

/** The user goes through many messages one by one, and looks away after each, at which it is told. */
const BUSY: Step = on("busy", async (world, one) => {
  for (let left = 40; left > 0; left--) {
    publish(world);
    world.mark(one);
    await world.pass(SECOND_MS);
    for (const tab of one.sim.tabs) tab.send("ping", { inSight: false });
  }
});

const KINDS: readonly Kind[] = ["network", "server", "device", "group", "strangers"];

/** Times of looking in, and how long all sleep between them: more than 13 h, after which all has been told again. */
const LOOKS = 9;
const BETWEEN_MS = 100 * MINUTE_MS;

/** A mark shows on another device within this, ms. */
const SHOWN_WITHIN_MS = 2_500;

/** Simulates one random history of the devices of one user. */
export async function runGroup(
  seed: number,
  { isLong = false, print, without = new Set() }: RunOptions = {},
): Promise<Outcome> {
  const world = new GroupWorld(seed, print);
  const { schedule, random, server } = world;
  const startMs = schedule.nowMs;
  const names: string[] = [];
  let broken: Outcome["broken"];
  const hear = (reason: unknown): void => void world.problems.push(reason instanceof Error ? reason.stack : reason);
  process.on("unhandledRejection", hear);
  schedule.begin();
  try {
    await begin(world);
    if (random.chance(0.4)) Object.assign(server.manners, { duplicated: 0.1, swapped: 0.1, dropped: 0.05 });
    const share = new Map<Kind, number>([["life", 1]]);
    for (const kind of KINDS) share.set(kind, random.chance(0.5) ? random.next() * 1.5 : 0);
    const choices = STEPS.map(([weight, kind, step]) => [weight * (share.get(kind) ?? 0), step] as const);
    const count = isLong ? random.int(8, 36) : random.int(3, 14);
    const steps = Array.from({ length: count }, () => random.weighted(choices));
    if (random.chance(0.08)) steps.splice(random.int(0, steps.length), 0, BUSY);
    for (const step of steps) {
      const at = names.push(step.name) - 1;
      if (without.has(at)) continue;
      world.note(`step ${at}: ${step.name}`);
      await step.run(world);
      await world.pass(random.chance(0.5) ? 0 : random.int(1, 5_000));
    }
    await settle(world);
    checkStamps(world);
    checkStores(world);
    checkOut(world);
    await touch(world);
    const jumps = world.devices.reduce((sum, one) => sum + one.jumps, 0);
    checkBudget(await allTold(world), 6 + (world.faults.get("answer lost") ?? 0) + 20 * jumps);
    if (world.problems.length > 0) throw new Broken("no problems", String(world.problems[0]));
  } catch (thrown) {
    const isRule = thrown instanceof Broken;
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    broken = isRule ? { rule: thrown.rule, text: thrown.text } : { rule: "no problems", text };
  } finally {
    schedule.end();
    process.off("unhandledRejection", hear);
  }
  return {
    seed,
    hash: world.trace.hash,
    ...(broken && { broken }),
    steps: names,
    faults: [...world.faults],
    lateness: [],
    figures: {
      published: server.published.size,
      stored: world.devices.reduce((sum, { messages }) => sum + messages.size, 0),
      requests: server.requestTimes.length,
      tasks: schedule.tasksRun,
      virtualMs: schedule.nowMs - startMs,
    },
    lastLines: world.trace.lastLines,
  };
}

/** The first device makes a group, and all others, or some of them, join it. */
async function begin(world: GroupWorld): Promise<void> {
  const { random, devices } = world;
  const [first, ...others] = devices;
  if (!first) return;
  for (const one of devices) {
    one.sim.openTab();
    await world.pass(3 * SECOND_MS);
    if (one === first || random.chance(0.5)) await world.subscribe(one, [random.pick(TOPICS), "a"]);
    for (let left = random.int(0, 3); left > 0; left--) publish(world);
  }
  await world.pass(3 * SECOND_MS);
  await world.found(first);
  await world.pass(5 * SECOND_MS);
  const told = await allTold(world);
  if (told.length > 1) throw new Broken("alone", `${told.length} packets were told, and nobody was there`);
  for (const one of others) {
    if (one !== others[0] && random.chance(0.3)) continue;
    if (!(await world.join(first, one))) throw new Broken("joining", `${one.name} could not join`);
  }
  await world.pass(5 * SECOND_MS);
}

const differing = (world: GroupWorld): string | undefined =>
  leftToSay(world) ?? disagreement(world) ?? lostMark(world) ?? yetToFollow(world);

/** Everything gets well, and all are looked into now and then until they agree. */
async function settle(world: GroupWorld): Promise<void> {
  world.note("calm");
  await world.calm();
  for (let look = 1; ; look++) {
    // After what was told, the next news wait for half a minute.
    await world.pass(35 * SECOND_MS);
    if (differing(world)) await world.pass(25 * SECOND_MS);
    const why = differing(world);
    world.note(`look ${look}: ${why ?? "they agree"}`);
    if (why === undefined) return;
    if (look === LOOKS) throw new Broken("agreement", why);
    for (const one of world.devices) world.fallAsleep(one);
    await world.pass(BETWEEN_MS);
    for (const one of world.devices) world.wake(one);
  }
}

/** How many packets a device may send now without waiting. */
const leftOf = ({ group }: OwnDevice): number => group?.ration?.left ?? 20;

/** What one marks now, the others show at once; then there is nothing more to tell. */
async function touch(world: GroupWorld): Promise<void> {
  const { members, random } = world;
  if (members.length < 2) return;
  const one = random.pick(members);
  // News waits after what was told last, and longer as the ration gets less. A dead stream shows only by its silence.
  const left = leftOf(one);
  if (world.faults.has("body stalled")) await world.pass(2 * MINUTE_MS);
  await world.pass(45 * SECOND_MS * 2 ** (Math.max(0, 14 - left) / 3));
  const isQuiet = leftOf(one) >= left - 1;
  world.note("touch");
  const before = world.marks.length;
  world.mark(one);
  await world.pass(SHOWN_WITHIN_MS);
  // Nobody hears of a deletion that can still be undone.
  if (world.marks.slice(before).some(({ kind, isSet }) => kind === "deleted" && isSet)) await world.pass(UNDO_MS);
  const why = disagreement(world);
  // One that was refused waits for up to an hour before it tells anything.
  const isFree =
    isQuiet && leftOf(one) >= 3 && !world.faults.has("answer 429") && !world.faults.has("everything refused");
  if (isFree && world.marks.length > before && why !== undefined) throw new Broken("at once", why);
  if (random.chance(0.7)) return;
  await world.pass(MINUTE_MS);
  const told = (await allTold(world)).length;
  await world.pass(3 * MINUTE_MS);
  const more = counted((await allTold(world)).slice(told));
  if (more > members.length) throw new Broken("quiet", `${more} packets in three quiet minutes`);
}

function publish({ random, server }: GroupWorld): void {
  server.publish(random.pick(TOPICS));
}

/** Another app clears a message, which reads it on each device that hears of it. */
function clear({ random, server, marks, schedule }: GroupWorld): void {
  const events = [...server.published.values()].flatMap(({ event }) =>
    event.event === "message" && TOPICS.includes(event.topic) ? [event] : [],
  );
  if (events.length === 0) return;
  const { topic, id } = random.pick(events);
  server.control("clear", topic, id);
  const message = `${topic} ${id}`;
  marks.push({ message, kind: "read", isSet: true, atMs: schedule.nowMs, deviceId: undefined, isSure: false });
}

async function markSeveral(world: GroupWorld, one: OwnDevice): Promise<void> {
  for (let left = world.random.int(2, 6); left > 0; left--) {
    world.mark(one);
    await world.pass(world.random.int(0, 3) * SECOND_MS);
  }
}

/** Taken back while it is told. */
async function markAndUndo(world: GroupWorld, one: OwnDevice): Promise<void> {
  world.mark(one);
  await world.pass(world.random.int(600, 850));
  world.undo(one);
}

function unsubscribe({ random }: GroupWorld, one: OwnDevice): void {
  const others = one.subscriptions.filter(({ topic }) => topic !== "a");
  if (others.length > 0) one.tab.send("unsubscribe", { subId: random.pick(others).subId });
}

function setLook({ random }: GroupWorld, one: OwnDevice): void {
  if (one.subscriptions.length === 0) return;
  const { subId } = random.pick(one.subscriptions);
  const patch = random.pick([
    { displayName: `name ${random.int(1, 99)}` },
    { mutedUntilMs: Infinity },
    { mutedUntilMs: null },
    { minPriority: 4 },
  ] as const);
  one.tab.send("patchSubscription", { subId, patch });
}

function setViews({ random }: GroupWorld, { tab }: OwnDevice): void {
  const views = Array.from({ length: random.int(0, 2) }, (_, at) => ({
    name: `view ${at}${random.int(1, 9)}`,
    link: "#/~urgent",
  }));
  tab.send("setViews", { views });
}

function setSetting({ random }: GroupWorld, { tab }: OwnDevice): void {
  tab.send("setSetting", { key: "singleKeys", value: random.chance(0.5) });
}

async function during(world: GroupWorld, { sim }: OwnDevice, faults: Partial<NetworkFaults>): Promise<void> {
  const { random } = world;
  sim.network.faults = { ...NO_FAULTS, ...faults };
  if (random.chance(0.7)) sim.network.each((connection) => connection.cut());
  for (let left = random.int(1, 4); left > 0; left--) {
    if (world.awake.length > 0) world.mark(random.pick(world.awake));
    publish(world);
    await world.pass(random.int(1, 30) * SECOND_MS);
  }
  sim.network.faults = NO_FAULTS;
}

async function restart(world: GroupWorld, keepsCache: boolean): Promise<void> {
  world.count(keepsCache ? "server restarted" : "server restarted without its cache");
  world.server.stop(keepsCache);
  await world.pass(world.random.int(1, 90) * SECOND_MS);
  world.server.start();
}

function wakeOne(world: GroupWorld): void {
  const asleep = world.devices.filter(({ isAsleep }) => isAsleep);
  if (asleep.length > 0) world.wake(world.random.pick(asleep));
}

/** All sleep for minutes or days, and some wake. */
async function allSleep(world: GroupWorld): Promise<void> {
  const { random, devices } = world;
  world.count("all slept");
  for (const one of world.awake) world.fallAsleep(one);
  await world.pass(
    random.weighted([
      [3, random.int(1, 60) * MINUTE_MS],
      [3, random.int(1, 30) * HOUR_MS],
      [1, random.int(2, 60) * DAY_MS],
    ]),
  );
  for (const one of devices) if (random.chance(0.7)) world.wake(one);
  await world.pass(10 * SECOND_MS);
}

async function crash(world: GroupWorld, one: OwnDevice): Promise<void> {
  const { random, schedule } = world;
  const [worker] = one.sim.workers;
  if (!worker) return;
  schedule.ambush(worker.actor, random.int(1, 80), () => {
    world.count("worker died");
    one.sim.kill(worker);
  });
  world.mark(one);
  await world.pass(random.int(1, 40) * SECOND_MS);
}

/** Its clock is set; what the user marks then is taken back again. */
async function jump(world: GroupWorld, one: OwnDevice): Promise<void> {
  const { random } = world;
  one.jumps += 1;
  const byMs = random.pick([-1, 1]) * random.pick([2 * MINUTE_MS, 20 * MINUTE_MS, 26 * HOUR_MS, 365 * DAY_MS]);
  one.sim.skewMs += byMs;
  if (byMs > 26 * HOUR_MS) for (const message of one.messages.keys()) world.forgotten.add(message);
  if (random.chance(0.5)) return;
  world.mark(one);
  await world.pass(32 * SECOND_MS);
  world.undo(one);
}

/** A device that isn't in the group joins it, if it can. */
async function joinOne(world: GroupWorld): Promise<void> {
  const newcomer = world.awake.find(({ group }) => !group);
  // Who joins through one that has yet to follow the others stays behind.
  const topic = [...world.keys.keys()].at(-1);
  const host = world.awake.find(({ group }) => group?.topic === topic);
  if (!newcomer || !host) return;
  await world.ask(newcomer, "leaveGroup", {});
  world.count((await world.join(host, newcomer)) ? "joined" : "joining failed");
}

async function removeDevice(world: GroupWorld, one: OwnDevice): Promise<void> {
  const { members, random } = world;
  const others = members.filter((other) => other !== one && other.group?.topic === one.group?.topic);
  if (!one.group || others.length < 2) return;
  const { deviceId = "" } = random.pick(others).group ?? {};
  const answer = await world.ask(one, "removeDevice", { deviceId });
  if (answer?.ok) world.out.add(deviceId);
  world.count(answer?.ok ? "removed" : "removing failed");
}

async function leave(world: GroupWorld, one: OwnDevice): Promise<void> {
  if (!one.group || world.members.length < 2) return;
  await world.ask(one, "leaveGroup", {});
  world.count("left");
}

/** Others write to the group's topic: garbage, what was told before, far too much. */
function strangers(world: GroupWorld): void {
  const { random, server, keys } = world;
  const topic = random.pick([...keys.keys()]);
  const told = [...server.published.values()].flatMap(({ event }) => (keys.has(event.topic) ? [event] : []));
  for (let left = random.int(1, 10); left > 0; left--) {
    const replayed = told.length > 0 ? random.pick(told) : undefined;
    const text = replayed?.event === "message" ? replayed.message : "";
    server.publish(topic, { message: random.pick(["", "garbage", text, text, "A".repeat(20_000)]) });
  }
  world.count("strangers wrote");
}
