import { Broken } from "./books";
import { checkQuiet } from "./quiet-rules";
import { checkTabs } from "./tab-rules";
import { calm, drawSteps, touch } from "./scenario";
import { ADA, SimWorld } from "./sim-world";
import { measureLateness, type Lateness } from "./lateness";

/** The result of a run. */
export interface Outcome {
  seed: number;
  /** Hash of the trace: equal hashes mean equal runs. */
  hash: string;
  broken?: { rule: string; text: string };
  steps: string[];
  faults: [kind: string, count: number][];
  /** Measured lateness; empty for every second seed, which doesn't measure it. */
  lateness: Lateness[];
  figures: { published: number; stored: number; requests: number; tasks: number; virtualMs: number };
  lastLines: string[];
}

export interface RunOptions {
  /** More happens; else so little that most lives which notice a mistake cost little. */
  isLong?: boolean;
  /** Shows each line of the trace. */
  print?: (line: string) => void;
  /** Indexes of steps to leave out, to find the few that matter for a failure. */
  without?: ReadonlySet<number>;
}

/**
 * Requests in a quiet quarter of an hour: a start, an id poll, four reconciling ones, streams; for each account, and each
 * worker that leads.
 */
const MAX_QUIET_REQUESTS = 45;

/** The same where polls stand in for a stream: what a server gives back in that time, and a little of what it gave before. */
const MAX_POLLED_REQUESTS = 190;

/** Errors in ten minutes: servers ban an address for more than twice as many. Without locks each worker leads. */
const MAX_ERRORS = 50;
const MAX_ERRORS_OF_SEVERAL = 100;

/** One seed in this many measures how late messages come. */
const LATENESS_EVERY = 2;

/** Simulates one random history of a device and a server. The same seed gives the same run, to the last microtask. */
export async function run(
  seed: number,
  { isLong = false, print, without = new Set() }: RunOptions = {},
): Promise<Outcome> {
  const world = new SimWorld(seed, print);
  const { schedule, random, server } = world;
  const startMs = schedule.nowMs;
  const names: string[] = [];
  let broken: Outcome["broken"];
  let lateness: Lateness[] = [];
  const hear = (reason: unknown): void =>
    void world.books.problems.push(reason instanceof Error ? reason.stack : reason);
  process.on("unhandledRejection", hear);
  schedule.begin();
  try {
    world.device.openTab();
    world.subscribe(["a", "b"]);
    if (random.chance(0.4)) world.subscribe(["secret"], { credentials: ADA });
    await world.pass(random.int(1, 60_000));
    for (let storm = random.int(1, isLong ? 2 : 1); storm > 0; storm--) {
      const steps = drawSteps(random, world.profile, isLong);
      for (const step of steps) {
        const at = names.push(step.name) - 1;
        if (without.has(at)) continue;
        world.note(`step ${at}: ${step.name}`);
        await step.run(world);
        await world.pass(random.chance(0.5) ? 0 : random.int(1, 5_000));
      }
      world.note("calm");
      await calm(world);
      const requests = server.requestTimes.filter((ms) => ms > schedule.nowMs - 14 * 60_000).length;
      const accounts = new Set(world.subscriptions.map(({ accountId }) => accountId)).size;
      const leaders = world.device.usesLocks ? 1 : world.device.workers.length;
      const isPolled = world.device.polledAtMs > world.device.nowMs - 15 * 60_000;
      if (requests > leaders * (isPolled ? MAX_POLLED_REQUESTS : MAX_QUIET_REQUESTS * Math.max(1, accounts)))
        throw new Broken("requests", `${requests} in a quiet quarter of an hour`);
      const most = world.device.usesLocks ? MAX_ERRORS : MAX_ERRORS_OF_SEVERAL;
      if (server.bans.worst > most) throw new Broken("errors", `${server.bans.worst} in ten minutes`);
      server.bans.worst = 0;
      checkQuiet(world.evidence);
      checkTabs(world);
      await touch(world);
      checkTabs(world);
      checkSubscribed(world);
    }
    // Topics that aren't admitted are late by minutes.
    if (seed % LATENESS_EVERY === 0 && world.profile !== "few new topics") lateness = await measureLateness(world);
  } catch (thrown) {
    if (thrown instanceof Broken) broken = { rule: thrown.rule, text: thrown.text };
    else
      broken = {
        rule: "no problems",
        text: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
      };
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
    lateness,
    figures: {
      published: server.published.size,
      stored: world.device.disk.read("messages").length,
      requests: server.requestTimes.length,
      tasks: schedule.tasksRun,
      virtualMs: schedule.nowMs - startMs,
    },
    lastLines: world.trace.lastLines,
  };
}

/** Fails if nothing was subscribed, as such a run would prove nothing. */
function checkSubscribed(world: SimWorld): void {
  if (!world.subscriptions.some(({ topic }) => topic === "a"))
    throw new Broken("subscribed", "the topics were not added");
}
