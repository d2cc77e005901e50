import { TOPICS, type SimWorld } from "./sim-world";

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** One thing that happens. */
export interface Step {
  name: string;
  run(world: SimWorld): void | Promise<void>;
}

export function publish(world: SimWorld): void {
  const { random, server } = world;
  const priority = random.pick([undefined, 1, 3, 4, 5] as const);
  server.publish(random.pick(TOPICS), priority ? { priority } : {});
}

/** Messages come now and then while time passes. */
export async function lifeGoesOn(world: SimWorld, ms: number): Promise<void> {
  const parts = world.random.int(1, 4);
  for (let part = 0; part < parts; part++) {
    if (world.random.chance(0.6)) publish(world);
    await world.pass(Math.round(ms / parts));
  }
}

/** The same, while nobody looks at a page. */
export async function lifeGoesOnUnseen(world: SimWorld, ms: number): Promise<void> {
  for (const tab of world.device.tabs) tab.show(false);
  await lifeGoesOn(world, ms);
  for (const tab of world.device.tabs) tab.show(true);
}

/** Something happens to a sequence, now. */
export function changeSequence({ random, server }: SimWorld, topic: string, sequence: string): void {
  const kind = random.weighted([
    [5, "update"],
    [2, "delete"],
    [2, "clear"],
  ] as const);
  const priority = random.pick([undefined, 5] as const);
  const fields = { sequence_id: sequence, ...(priority && { priority }), uncached: random.chance(0.1) };
  if (kind === "update") server.publish(topic, fields);
  else server.control(kind, topic, sequence);
}

export function cutAll(world: SimWorld): void {
  world.count("connections cut");
  world.device.network.each((connection) => connection.cut());
}
