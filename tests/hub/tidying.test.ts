import { expect, test } from "vitest";
import { markingAll } from "./marking-all";
import { World } from "./world";

const MINUTE_MS = 60_000;

test("old and surplus messages go, though something is marked every half minute", async () => {
  const world = await World.make();
  const { tab, subIds } = await world.subscribed(["a", "b"]);
  await tab.send("setSetting", { key: "keepMessages", value: 5 });
  await tab.send("unsubscribe", { subId: subIds[1] ?? 0 });
  for (let halfMinute = 0; halfMinute < 150; halfMinute++) {
    world.server.publish("a", String(halfMinute));
    await world.time.advance(MINUTE_MS / 2);
    await tab.send("mark", markingAll([subIds[0] ?? 0]));
  }
  expect((await world.rows("feed")).length).toBeLessThan(50);
  expect(await world.store.reader.catalogue()).toMatchObject({ subscriptions: [{ topic: "a" }] });
});
