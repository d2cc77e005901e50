import { describe, expect, test } from "vitest";
import { MAX_STRANGE_LINES } from "../../src/hub/requests/receive-frames";
import { receiveByWebSocket } from "../../src/hub/live/stream-attempt";
import { Requests } from "../../src/hub/requests/requests";
import type { ConnectWebSocket } from "../../src/hub/environment";
import type { Transport } from "../../src/contract";
import { pollAnswer } from "./fake-server";
import { World, type Tab } from "./world";

const serverIdOf = (tab: Tab): number => tab.newestStatus?.serverId ?? 0;

const typed = (body: BodyInit | null, type?: string): Response => {
  const response = new Response(body);
  if (type === undefined) response.headers.delete("Content-Type");
  else response.headers.set("Content-Type", type);
  return response;
};

/** An answer that never ends, with one line of junk a second. */
function endless(world: World, line: string, type: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (): void => {
        try {
          controller.enqueue(new TextEncoder().encode(line));
        } catch {
          return; // Nobody reads it any more.
        }
        world.time.setTimer(write, 1_000);
      };
      write();
    },
  });
  return typed(body, type);
}

const NDJSON = "application/x-ndjson; charset=utf-8";

/** Servers that answer everything with 200 and are no topic servers. */
const IMPOSTORS: Record<string, { answer: (world: World) => Response; says: unknown }> = {
  "OK as text": { answer: () => typed("OK\n", "text/plain"), says: "text/plain" },
  "a JSON object": { answer: () => Response.json({ success: true, healthy: true }), says: "application/json" },
  "an empty page": { answer: () => typed("", "text/html"), says: "text/html" },
  "nothing, of no type": { answer: () => typed(null), says: "no Content-Type" },
  "junk under the right type": { answer: () => typed("OK\nOK\n", NDJSON), says: "no line is an event" },
  "junk without an end": { answer: (world) => endless(world, "OK\n", NDJSON), says: expect.any(String) },
};

describe("a host that answers 200 to everything", () => {
  for (const [name, { answer, says }] of Object.entries(IMPOSTORS)) {
    test(`with ${name} is an outage: never live, never complete, and it passes`, async () => {
      const world = await World.make();
      const { tab } = await world.subscribed(["a"], {}, { random: () => 0.5 });
      await world.time.advance(60_000);
      const { lastCompleteAtMs, lastContactAtMs } = tab.newestStatus ?? {};
      const asked = world.server.requests.length;
      world.server.intercept = () => answer(world);
      world.server.cut();
      await world.time.settle();
      const told = tab.events.length;
      await world.time.advance(3_600_000);
      const states = tab.events.slice(told).flatMap((event) => (event.kind === "status" ? [event.status] : []));
      expect(states.filter(({ state }) => state.kind === "live")).toEqual([]);
      expect(tab.newestStatus?.state).toMatchObject({ kind: "waiting", why: { kind: "malformed", text: says } });
      expect(tab.newestStatus).toMatchObject({ lastCompleteAtMs, lastContactAtMs });
      expect(world.server.requests.length - asked).toBeLessThan(500);
      expect(await tab.send("refresh", { serverId: serverIdOf(tab) })).toMatchObject({
        ok: false,
        error: { kind: "failed", why: { kind: "malformed" } },
      });
      world.server.intercept = undefined;
      await world.time.advance(61_000);
      expect(tab.newestStatus?.state.kind).toBe("live");
      expect(world.problems).toEqual([]);
    });

    test(`with ${name} is not taken for a topic server when it is added`, async () => {
      const world = await World.make();
      world.server.intercept = ({ url }) =>
        // A server that says yes to every question proves nothing by it.
        url.pathname.endsWith("/auth") || url.pathname === "/v1/health" ? undefined : answer(world);
      const hub = world.startHub();
      const tab = world.openTab(hub);
      const input = { address: world.server.address, topics: ["a"] };
      expect(await tab.send("preview", input)).toMatchObject({ ok: false });
      world.server.intercept = () => answer(world);
      const added = await tab.send("subscribe", { ...input, history: "all" });
      expect(added).toMatchObject(name === "a JSON object" ? { ok: true } : { ok: false });
    });
  }

  test.each(["json", "sse", "ws", "poll"] satisfies Transport[])("does not pass by %s either", async (transport) => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("patchServer", { serverId: serverIdOf(tab), transport });
    await world.time.advance(60_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport });
    world.server.intercept = () => typed("OK\n", "text/plain");
    world.server.cut();
    // A polled server is noticed at the next poll.
    await world.time.advance(31_000);
    const told = tab.events.length;
    await world.time.advance(1_800_000);
    const states = tab.events
      .slice(told)
      .flatMap((event) => (event.kind === "status" ? [event.status.state.kind] : []));
    expect(states).not.toContain("live");
    expect(tab.newestStatus?.state).toMatchObject({ kind: "waiting" });
  });

  test("is recognized by its frames over a WebSocket", async () => {
    const world = await World.make();
    let connections = 0;
    const connectWebSocket: ConnectWebSocket = (_url, { data }) => {
      connections += 1;
      // Sends just as many strange lines as the app takes to give up, and nothing else.
      for (let frame = 0; frame < MAX_STRANGE_LINES; frame++) queueMicrotask(() => data("OK"));
      return { close: () => undefined };
    };
    const receive = receiveByWebSocket(connectWebSocket, new Requests(world.environment(), world.server.address), {
      topics: ["a"],
    });
    let heard = 0;
    const end = await receive(
      {
        opened: () => undefined,
        heard: () => void (heard += 1),
        events: () => undefined,
        malformed: () => undefined,
      },
      new AbortController().signal,
    );
    expect(end).toEqual({ kind: "malformed", text: "no line is an event" });
    expect([connections, heard]).toEqual([1, 1]);
  });
});

describe("a poll", () => {
  const refreshed = async (body: string) => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(20_000);
    world.server.intercept = ({ url }) => (url.searchParams.has("poll") ? pollAnswer(body) : undefined);
    return tab.send("refresh", { serverId: serverIdOf(tab) });
  };
  const line = (id: string, topic = "a"): string =>
    `${JSON.stringify({ id, time: 1_000, expires: 1e10, event: "message", topic, message: id })}\n`;

  test("without a line is complete, and so is one with some skipped lines", async () => {
    expect(await refreshed("")).toMatchObject({ ok: true, value: { missing: 0 } });
    expect(await refreshed("\n")).toMatchObject({ ok: true, value: { missing: 0 } });
    expect(await refreshed(`junk\n${"junk\n".repeat(20)}${line("aaaaaaaaaaaa")}`)).toMatchObject({
      ok: true,
      value: { missing: 1 },
    });
    expect(await refreshed('{"id":"x","time":1,"event":"novel","topic":"a"}\n')).toMatchObject({ ok: true });
  });

  test("of nothing but junk, or of topics that were not asked for, fails", async () => {
    const failed = { ok: false, error: { kind: "failed", why: { kind: "malformed", text: "no line is an event" } } };
    expect(await refreshed("junk\n")).toMatchObject(failed);
    expect(await refreshed("junk")).toMatchObject({ ok: false });
    expect(await refreshed(line("bbbbbbbbbbbb", "another"))).toMatchObject(failed);
  });
});
