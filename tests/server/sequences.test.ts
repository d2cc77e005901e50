// docs/protocol.md §17.
import { describe, expect, it } from "vitest";
import { start } from "./test-server";

describe("a sequence", () => {
  it.each([
    ["X-Sequence-ID: s1", "t", { "X-Sequence-ID": "s1" }],
    ["Sequence-ID: s1", "t", { "Sequence-ID": "s1" }],
    ["sid=s1", "t?sid=s1", {}],
    ["the path", "t/s1", {}],
  ])("is named by %s", async (_, path, headers) => {
    const server = await start();
    expect(await server.publish(path, "v1", headers)).toMatchObject({ topic: "t", sequence_id: "s1", message: "v1" });
  });

  it("is named in JSON, too", async () => {
    const server = await start();
    const body = JSON.stringify({ topic: "t", sequence_id: "s1" });
    expect(JSON.parse((await server.ask("/", { method: "POST", body })).text)).toMatchObject({ sequence_id: "s1" });
    expect(await server.code("/", { method: "POST", body: body.replace("s1", "no blanks") })).toBe(40049);
  });

  it("keeps its older versions, which are replayed like all messages", async () => {
    const server = await start();
    const first = await server.publish("t", "v1");
    expect(first).not.toHaveProperty("sequence_id");
    await server.publish(`t/${first.id}`, "v2");
    expect(await server.texts("t")).toEqual(["v1", "v2"]);
    expect(await server.texts("t?since=latest")).toEqual(["v2"]);
  });

  it("may be named like one of the words after a topic", async () => {
    const server = await start();
    for (const word of ["json", "sse", "raw", "ws", "auth", "publish", "send", "trigger"]) {
      expect(await server.publish(`t/${word}`, "x")).toMatchObject({ sequence_id: word });
      expect(await server.code(`/t/${word}`, { method: "DELETE" })).toBe(0);
    }
  });

  it("keeps its scheduled version when another one is not kept", async () => {
    const server = await start();
    await server.publish("t/s", "at ten", { Delay: "1h" });
    await server.publish("t/s", "live only", { Cache: "no" });
    expect(await server.texts("t?scheduled=1")).toEqual(["at ten"]);
  });

  it("replaces its own scheduled version", async () => {
    const server = await start();
    const scheduled = await server.publish("t", "v1", { Delay: "1h" });
    await server.publish("t", "other", { Delay: "1h" });
    await server.publish(`t/${scheduled.id}`, "v2", { Delay: "2h" });
    expect(await server.texts("t?scheduled=1")).toEqual(["other", "v2"]);
  });
});

describe("deleting and clearing", () => {
  it.each([
    ["DELETE", "/t/s1", "message_delete"],
    ["PUT", "/t/s1/clear", "message_clear"],
    ["PUT", "/t/s1/read", "message_clear"],
  ])("%s %s sends and stores %s", async (method, path, event) => {
    const server = await start();
    await server.publish("t/s1", "v1");
    const formats = ["json", "sse", "raw"] as const;
    const [json, sse, raw] = await Promise.all(formats.map((format) => server.open(`/t/${format}`)));
    const webSocket = await server.openWebSocket("/t/ws");
    const answer = await server.ask(path, { method });
    const { nowS } = server.clock;
    const sent = JSON.parse(answer.text) as { id: string };
    expect(sent).toEqual({
      ...{ id: expect.any(String), time: nowS, expires: nowS + 43_200, event, topic: "t", sequence_id: "s1" },
    });
    await json?.until(({ lines }) => lines.length === 2);
    await sse?.until(({ lines }) => lines.length === 5);
    await raw?.until(({ lines }) => lines.length === 2);
    await webSocket.until(({ lines }) => lines.length === 2);
    expect(sse?.lines.slice(3)).toEqual([`data: ${JSON.stringify(sent)}`, ""]);
    expect(raw?.lines).toEqual(["", ""]);
    expect([json?.events[1], webSocket.events[1]]).toEqual([sent, sent]);
    expect((await server.poll("t")).map((each) => each.event)).toEqual(["message", event]);
    expect(await server.poll(`t?since=${sent.id}`)).toEqual([]);
    expect((await server.poll("t?since=latest")).map(({ id }) => id)).toEqual([sent.id]);
    expect(await server.poll("t?message=v1")).toHaveLength(1);
  });

  it("cancel scheduled versions with a delete, and keep them with a clear", async () => {
    const server = await start();
    await server.publish("t/s1", "later", { Delay: "1h" });
    await server.ask("/t/s1/clear", { method: "PUT" });
    expect(await server.texts("t?scheduled=1")).toContain("later");
    await server.ask("/t/s1", { method: "DELETE" });
    expect(await server.texts("t?scheduled=1")).not.toContain("later");
  });

  it("cancels a scheduled message without a sequence by its own id", async () => {
    const server = await start();
    const { id } = await server.publish("t", "later", { Delay: "1h" });
    await server.publish("t", "other", { Delay: "1h" });
    expect(await server.code(`/t/${id}`, { method: "DELETE" })).toBe(0);
    expect((await server.poll("t?scheduled=1")).map(({ event }) => event)).toEqual(["message_delete", "message"]);
    expect(await server.texts("t")).not.toContain("later");
  });

  it.each([
    ["DELETE", "/t/bad%20one"],
    ["PUT", "/t/s1/other"],
    ["DELETE", "/t/s1/clear"],
    ["DELETE", "/v1/s1"],
  ])("answers 404 to %s %s", async (method, path) => {
    const server = await start();
    expect(await server.code(path, { method })).toBe(40401);
  });

  it("are polled among the messages of the same second, in the order in which all were accepted", async () => {
    const server = await start();
    const later = await server.publish("t/s1", "accepted first, due in that second", { Delay: "10s" });
    server.clock.advance(10);
    const ids = [later.id];
    const ask = async (method: string, path: string, body?: string) => {
      const { text } = await server.ask(path, { method, ...(body && { body }) });
      ids.push((JSON.parse(text) as { id: string }).id);
    };
    for (let round = 0; round < 8; round++) {
      await ask("PUT", "/t/s1", "a version");
      await ask("DELETE", "/t/s1");
      await ask("PUT", "/t/s1", "a version after it");
      await ask("PUT", "/t/s1/clear");
    }
    for (const path of ["t", `t?since=${later.time}`, "other,t"]) {
      expect((await server.poll(path)).map(({ id }) => id)).toEqual(ids);
    }
  });
});
