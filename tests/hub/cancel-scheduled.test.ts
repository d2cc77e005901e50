import { describe, expect, test } from "vitest";
import { keyOf, type StoredMessage } from "../../src/contract";
import type { MessageEvent } from "../../src/protocol";
import { World } from "./world";

/** A device that lists one message which its server delivers in an hour. */
async function withScheduled(fields: Partial<MessageEvent> = {}) {
  const world = await World.make();
  const { tab } = await world.subscribed(["a"]);
  await world.time.settle();
  world.server.publish("a", "water the plants", { delayS: 3_600, ...fields });
  await world.time.advance(400_000);
  const [row] = await world.rows("scheduled");
  if (!row) throw new Error("nothing is scheduled");
  return { world, tab, row };
}

/** Has the server delete sequences when it is asked to, as one of 2.27 does; a message alone is one by its id. */
function deletes(world: World, row: StoredMessage): string[] {
  const asked: string[] = [];
  world.server.intercept = ({ method, url }) => {
    if (method !== "DELETE") return undefined;
    asked.push(url.pathname);
    world.server.cancel(row.id);
    return Response.json(world.server.control("delete", "a", url.pathname.split("/")[2] ?? ""));
  };
  return asked;
}

describe("cancelling a scheduled message", () => {
  test.each([
    ["by its own id", {}, (row: StoredMessage) => row.id],
    ["by its sequence", { sequence_id: "plants" }, () => "plants"],
  ])("takes it off its server, %s, and out of the list at once", async (_, fields, name) => {
    const { world, tab, row } = await withScheduled(fields);
    const asked = deletes(world, row);
    const cancelled = await tab.send("cancelScheduled", { keys: [keyOf(row)] });
    expect(cancelled).toEqual({ ok: true, value: { cancelled: 1, hidden: { count: 0, undo: "[]" } } });
    expect(asked).toEqual([`/a/${name(row)}`]);
    expect(await world.rows("scheduled")).toEqual([]);
    await world.time.advance(4_000_000);
    expect(await world.feed()).toEqual([]);
  });

  test.each([404, 405, 501])("hides it here alone where the server answers %i", async (status) => {
    const { world, tab, row } = await withScheduled();
    world.server.intercept = ({ method }) => (method === "DELETE" ? new Response("no", { status }) : undefined);
    const cancelled = await tab.send("cancelScheduled", { keys: [keyOf(row)] });
    expect(cancelled).toMatchObject({ ok: true, value: { cancelled: 0, hidden: { count: 1 } } });
    expect(await world.rows("scheduled")).toEqual([]);
  });

  test("changes nothing if the server can't be asked now, and says why", async () => {
    const { world, tab, row } = await withScheduled();
    world.server.intercept = ({ method }) =>
      method === "DELETE" ? Promise.reject(new TypeError("Failed to fetch")) : undefined;
    expect(await tab.send("cancelScheduled", { keys: [keyOf(row)] })).toMatchObject({ ok: false });
    expect(await world.rows("scheduled")).toHaveLength(1);
  });
});

describe("sending a scheduled message now", () => {
  test("publishes all of it as the version that replaces it, in one request", async () => {
    const fields = {
      title: "Garden",
      tags: ["seedling"],
      priority: 4 as const,
      click: "https://garden.example",
      actions: [{ id: "x", action: "view", label: "Open", url: "https://garden.example" }],
      content_type: "text/markdown",
      attachment: { name: "map.png", url: "https://garden.example/map.png" },
    };
    const { world, tab, row } = await withScheduled(fields);
    const bodies: Record<string, unknown>[] = [];
    world.server.intercept = ({ method, body }) => {
      if (method !== "POST" || body === undefined) return undefined;
      bodies.push(JSON.parse(body) as Record<string, unknown>);
      world.server.cancel(row.id);
      return Response.json(world.server.publish("a", "water the plants", { sequence_id: row.id }));
    };
    expect(await tab.send("sendNow", { key: keyOf(row) })).toEqual({ ok: true, value: { isCancelled: true } });
    expect(bodies).toEqual([
      {
        ...{ topic: "a", message: "water the plants", title: "Garden", tags: ["seedling"], priority: 4 },
        ...{ click: fields.click, actions: fields.actions, markdown: true, sequence_id: row.id },
        ...{ attach: "https://garden.example/map.png", filename: "map.png" },
      },
    ]);
    await world.time.settle();
    expect(await world.rows("scheduled")).toEqual([]);
    expect(await world.feed()).toEqual(["water the plants"]);
    await world.time.advance(4_000_000);
    expect(await world.feed()).toEqual(["water the plants"]);
  });

  test("says where an older server will deliver it once more", async () => {
    const { world, tab, row } = await withScheduled();
    world.server.intercept = ({ method }) =>
      method === "POST" ? Response.json(world.server.publish("a", "water the plants")) : undefined;
    expect(await tab.send("sendNow", { key: keyOf(row) })).toEqual({ ok: true, value: { isCancelled: false } });
  });
});
