// Measures how late messages arrive that were published while they could not be received. It runs once all other faults
// are over, with a page in sight that gets no event.
import type { StoredMessage } from "../../src/contract";
import type { SimWorld } from "./sim-world";
import { cutAll, MINUTE_MS, SECOND_MS } from "./traffic";

/** How often it looks for the message, and when it gives up, ms. */
const STEP_MS = 50;
const GIVE_UP_MS = 2 * MINUTE_MS;

/** A browser keeps six connections to a host (HTTP/1.1), one of them for the stream. */
const MAX_DEAD = 5;

/** The kind of fault, and the time until the message was stored, ms. */
export type Lateness = [what: string, ms: number];

/**
 * Measures each kind of fault, some several times. Only with a server that keeps messages, stores each at once and
 * delivers it exactly once, in order: otherwise lateness may be the server's fault.
 */
export async function measureLateness(world: SimWorld): Promise<Lateness[]> {
  const { server, random, device } = world;
  const { batchMs, dropped, duplicated, swapped, retentionS, lagMs } = server.manners;
  if (retentionS === 0 || batchMs + dropped + duplicated + swapped + lagMs > 0) return [];
  if (device.polledAtMs > device.nowMs - 15 * MINUTE_MS) return [];
  const found: Lateness[] = [];
  const measure = async (what: string, id: string): Promise<void> => {
    let ms = 0;
    const isStored = (): boolean => device.disk.read<StoredMessage>("messages").some((row) => row.id === id);
    while (!isStored() && ms < GIVE_UP_MS) {
      await world.pass(STEP_MS);
      ms += STEP_MS;
    }
    found.push([what, ms]);
    await world.pass(MINUTE_MS);
  };

  server.stop(true);
  await world.pass(random.int(5, 300) * SECOND_MS);
  server.start();
  await measure("server gone for 5 s to 5 min", server.publish("a").id);

  for (let round = 0; round < 3; round++) {
    await world.pass(20 * SECOND_MS);
    cutAll(world);
    await measure("stream cut", server.publish("a").id);
  }

  device.network.each((connection) => (connection.isStuck = true));
  const { id } = server.publish("a");
  // Short enough that the server still has the message.
  const longestS = Math.min(900, Math.floor(server.manners.retentionS / 3));
  await device.sleep(random.int(10, Math.max(10, longestS)) * SECOND_MS, random.chance(0.5));
  await measure("slept, streams half open", id);

  for (let round = 0; round < 3; round++) {
    await world.pass(random.int(0, 20 * SECOND_MS));
    device.network.each((connection) => (connection.isStuck = true));
    device.network.deadConnections = random.int(1, MAX_DEAD);
    await measure("connections forgotten", server.publish("a").id);
    device.network.deadConnections = 0;
  }
  for (let round = 0; round < 3; round++) {
    await world.pass(random.int(0, 20 * SECOND_MS));
    device.network.each((connection) => (connection.isStuck = true));
    await measure("stream alone forgotten", server.publish("a").id);
  }

  // Last, as the ration takes minutes to be full again.
  server.useUpRation();
  cutAll(world);
  await measure("stream cut, ration used up", server.publish("a").id);
  return found;
}
