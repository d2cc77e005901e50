// How late a message is that was published while it could not come: counted once all other trouble is over, with a page
// in sight that gets no event.
import type { StoredMessage } from "../../src/contract";
import type { SimWorld } from "./sim-world";
import { cutAll, MINUTE_MS, SECOND_MS } from "./traffic";

/** Looked for this often, ms, and given up after so long. */
const STEP_MS = 50;
const GIVE_UP_MS = 2 * MINUTE_MS;

/** What happened, and after how long the message was stored, ms. */
export type Lateness = [what: string, ms: number];

/**
 * Measures each kind of trouble once. Only where the server keeps what it was given, at once, and leaves nothing out: with
 * one that does not, what is late is not the app's doing.
 */
export async function measureLateness(world: SimWorld): Promise<Lateness[]> {
  const { server, random, device } = world;
  const { batchMs, dropped, duplicated, swapped } = server.manners;
  if (batchMs + dropped + duplicated + swapped > 0 || device.polledAtMs > device.nowMs - 15 * MINUTE_MS) return [];
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
  // Not for so long that the server has forgotten it.
  const longestS = Math.min(900, Math.floor(server.manners.retentionS / 3));
  await device.sleep(random.int(10, Math.max(10, longestS)) * SECOND_MS, random.chance(0.5));
  await measure("slept, streams half open", id);
  return found;
}
