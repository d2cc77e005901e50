import fc from "fast-check";
import { expect, test } from "vitest";
import type { Transport } from "../../src/contract";
import { errorAnswer, pollAnswer } from "./fake-server";
import { World, type Tab } from "./world";
import { runs } from "../long";

/** One thing that happens to the device or the server. */
type Step =
  | { kind: "publish"; topic: "a" | "b" | "late"; delayS: number }
  | { kind: "publish-unheard"; topic: "a" | "b" }
  | { kind: "wait" | "sleep" | "outage"; ms: number }
  | { kind: "cut" | "close" | "freeze" | "restart" | "busy" | "cut-polls" | "resume" };

const topic = fc.constantFrom("a", "b", "late");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("publish"), topic, delayS: fc.constantFrom(0, 0, 0, 30, 900) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("publish-unheard"), topic: fc.constantFrom("a", "b") }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("wait"), ms: fc.integer({ min: 0, max: 120_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("sleep"), ms: fc.integer({ min: 1_000, max: 3_600_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("outage"), ms: fc.integer({ min: 1_000, max: 600_000 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("cut", "close", "freeze", "restart", "busy", "cut-polls", "resume"),
    }),
  },
) as fc.Arbitrary<Step>;

async function live(
  world: World,
  steps: Step[],
  transport: Transport | null,
): Promise<{ published: string[]; tab: Tab }> {
  const published: string[] = [];
  let { hub, tab } = await world.subscribed(["a", "b"]);
  await tab.send("patchServer", { serverId: tab.newestStatus?.serverId ?? 0, transport });
  const publish = (name: string, delayS: number): void => {
    const text = `m${published.length}`;
    world.server.publish(name, text, { delayS });
    published.push(text);
  };
  for (const [index, one] of steps.entries()) {
    if (index === Math.floor(steps.length / 2)) {
      await tab.send("subscribe", { address: world.server.address, topics: ["late"], history: "all" });
    }
    switch (one.kind) {
      case "publish":
        publish(one.topic, one.delayS);
        break;
      case "publish-unheard": {
        // The live stream drops the message, as that of a slow reader may.
        const streams = [...world.server.streams];
        world.server.streams.clear();
        publish(one.topic, 0);
        for (const stream of streams) world.server.streams.add(stream);
        break;
      }
      case "wait":
        await world.time.advance(one.ms);
        break;
      case "sleep":
        await world.time.sleep(one.ms);
        break;
      case "outage":
        world.server.down = true;
        world.server.cut();
        await world.time.advance(one.ms);
        world.server.down = false;
        break;
      case "cut":
        world.server.cut();
        break;
      case "close":
        world.server.close();
        break;
      case "freeze":
        world.server.freeze();
        break;
      case "restart":
        hub.stop();
        hub = world.startHub();
        tab = world.openTab(hub);
        break;
      case "busy":
        world.server.intercept = () => errorAnswer(429, 42901);
        await world.time.advance(20_000);
        world.server.intercept = undefined;
        break;
      case "cut-polls":
        world.server.intercept = ({ url }) => (url.searchParams.has("poll") ? pollAnswer('{"id":"half') : undefined);
        await world.time.advance(15_000);
        world.server.intercept = undefined;
        break;
      case "resume":
        await tab.send("resume", {});
    }
  }
  return { published, tab };
}

test.each<[string, Transport | null, number]>([
  ["the transport that gets through", null, 30],
  ["JSON lines", "json", 10],
  ["server-sent events", "sse", 15],
  ["a WebSocket", "ws", 30],
  ["polls", "poll", 15],
])("by %s, nothing is lost or comes twice in any sequence of faults", async (_name, transport, numRuns) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      const world = await World.make();
      const { published, tab } = await live(world, steps, transport);
      // This is long enough for the last scheduled message, the longest wait and a reconciling poll, and shorter than
      // the server keeps messages.
      await world.time.advance(1_500_000);
      expect(tab.newestStatus?.state.kind).toBe("live");
      expect((await world.feed()).sort()).toEqual([...published].sort());
      const { subscriptions, total } = await world.store.reader.catalogue();
      expect(total).toBe(published.length);
      expect(subscriptions.reduce((sum, { unread }) => sum + unread, 0)).toBe(published.length);
      expect(world.problems).toEqual([]);
    }),
    { numRuns: runs(numRuns) },
  );
});
