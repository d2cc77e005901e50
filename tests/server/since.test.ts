// docs/protocol.md §4.
import { describe, expect, it } from "vitest";
import { start } from "./test-server";

/** A server that was sent A, then D (delivered later), then B, as in the protocol's example. */
async function example() {
  const server = await start();
  const a = await server.publish("t", "A");
  server.clock.advance(60);
  const d = await server.publish("t", "D", { Delay: "29m" });
  server.clock.advance(19 * 60);
  const b = await server.publish("t", "B");
  return { server, a, b, d };
}

describe("since", () => {
  it("goes by row numbers after an id, so that a message delivered late is missed for good", async () => {
    const { server, a, b, d } = await example();
    server.clock.advance(11 * 60);
    expect(await server.texts(`t?since=${a.id}`)).toEqual(["B", "D"]);
    expect(await server.texts(`t?since=${b.id}`)).toEqual([]);
    expect(await server.texts(`t?since=${b.time}`)).toEqual(["B", "D"]);
    expect(await server.texts(`t?since=${d.id}`)).toEqual(["B"]);
  });

  it("returns scheduled messages after any id when asked, and not otherwise", async () => {
    const { server, a, b, d } = await example();
    expect(await server.texts(`t?since=${b.id}&scheduled=1`)).toEqual(["D"]);
    expect(await server.texts(`t?since=${d.id}&scheduled=1`)).toEqual(["B", "D"]);
    expect(await server.texts(`t?since=${a.id}`)).toEqual(["B"]);
    expect(await server.texts("t?since=all&scheduled=1")).toEqual(["A", "B", "D"]);
    expect(await server.texts("t")).toEqual(["A", "B"]);
    expect(await server.texts("t?since=latest&scheduled=1")).toEqual(["B"]);
  });

  it("is inclusive for a time, in seconds", async () => {
    const { server, a, b } = await example();
    expect(await server.texts(`t?since=${a.time}`)).toEqual(["A", "B"]);
    expect(await server.texts(`t?since=${a.time + 1}`)).toEqual(["B"]);
    expect(await server.texts(`t?since=${b.time}000`)).toEqual([]);
    expect(await server.texts("t?since=0")).toEqual(["A", "B"]);
    expect(await server.texts("t?since=1")).toEqual([]);
    expect(await server.texts("t?since=-5")).toEqual(["A", "B"]);
  });

  it("counts durations back from the server's clock", async () => {
    const { server } = await example();
    for (const all of ["20m", "1200s", "1h30m", "1.5h", "0.4h", "1200000ms"]) {
      expect(await server.texts(`t?since=${all}`), all).toEqual(["A", "B"]);
    }
    expect(await server.texts("t?since=19m59s")).toEqual(["B"]);
    expect(await server.texts("t?since=10ms")).toEqual(["B"]);
  });

  it.each(["1d", "abc", "1h%2030m", "10M", "ALL", "Latest", "1.5", "h", "12h!", "--1"])("refuses %s", async (since) => {
    const server = await start();
    for (const format of ["json", "sse", "raw"]) {
      const answer = await server.ask(`/t/${format}?poll=1&since=${since}`);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 40008, http: 400, link: expect.any(String) });
    }
  });

  it("takes twelve letters or digits for an id, and treats an unknown one as everything", async () => {
    const { server } = await example();
    for (const id of ["abcdefghij12", "176000000000", "1000000000ms"]) {
      expect(await server.texts(`t?since=${id}`)).toEqual(["A", "B"]);
      expect(await server.texts(`t?since=${id}&scheduled=1`)).toEqual(["A", "B", "D"]);
    }
  });

  it("knows ids across topics, those of scheduled messages too", async () => {
    const { server, d } = await example();
    await server.publish("other", "C");
    expect(await server.texts(`other?since=${d.id}`)).toEqual(["C"]);
    expect(await server.texts(`t,other?since=${d.id}`)).toEqual(["B", "C"]);
  });

  it("treats the id of an uncached message or of an open event as unknown", async () => {
    const { server } = await example();
    const fleeting = await server.publish("t", "gone", { Cache: "no" });
    expect(await server.texts(`t?since=${fleeting.id}`)).toEqual(["A", "B"]);
  });

  it("returns the newest message of each topic for latest, before any filter", async () => {
    const server = await start();
    await server.publish("a", "a1");
    await server.publish("a", "a2");
    await server.publish("b", "b1");
    expect(await server.texts("a,b,c?since=latest")).toEqual(["a2", "b1"]);
    expect(await server.texts("a?since=latest&message=a1")).toEqual([]);
  });

  it("merges several topics by time, and returns a repeated topic twice", async () => {
    const server = await start();
    for (const [topic, text] of [
      ["a", "1"],
      ["b", "2"],
      ["a", "3"],
    ] as const) {
      await server.publish(topic, text);
      server.clock.advance(1);
    }
    expect(await server.texts("a,b")).toEqual(["1", "2", "3"]);
    expect(await server.texts("b,a")).toEqual(["1", "2", "3"]);
    expect(await server.texts("b,b")).toEqual(["2", "2"]);
  });

  it("orders messages of one second by their submission", async () => {
    const server = await start();
    const texts = Array.from({ length: 50 }, (_, at) => String(at));
    for (const text of texts) await server.publish("t", text);
    expect(await server.texts("t")).toEqual(texts);
  });
});

describe("polling", () => {
  it.each([
    ["json", "application/x-ndjson; charset=utf-8"],
    ["sse", "text/event-stream; charset=utf-8"],
    ["raw", "text/plain; charset=utf-8"],
  ])("is an empty 200 when there is nothing: %s", async (format, type) => {
    const server = await start();
    for (const since of ["", "all", "none", "latest", "0"]) {
      const answer = await server.ask(`/t/${format}?poll=1&since=${since}`);
      expect(answer).toMatchObject({ status: 200, text: "" });
      expect(answer.headers).toMatchObject({
        "content-length": "0",
        "content-type": type,
        "access-control-allow-origin": "*",
      });
    }
  });

  it("returns the whole cache by default, and nothing for none", async () => {
    const server = await start();
    await server.publish("t", "kept");
    expect(await server.texts("t")).toEqual(["kept"]);
    expect(await server.texts("t?since=none")).toEqual([]);
  });

  it("keeps what has expired until the clean-up", async () => {
    const server = await start({ cache: "30s" });
    const { expires, time } = await server.publish("t", "short");
    expect(expires).toBe(time + 30);
    server.clock.advance(59);
    expect(await server.texts("t")).toEqual(["short"]);
    server.clock.advance(1);
    expect(await server.texts("t")).toEqual([]);
  });

  it("finds nothing on a server without a cache, which also never delivers scheduled messages", async () => {
    const server = await start({ cache: 0 });
    const stream = await server.open("/t/json?since=all");
    const message = await server.publish("t", "live");
    expect(message.expires).toBe(message.time);
    const scheduled = await server.publish("t", "never", { Delay: "10s" });
    expect(scheduled.expires).toBe(scheduled.time);
    server.clock.advance(3600);
    await server.publish("t", "end");
    await stream.until(({ messages }) => messages.includes("end"));
    expect(stream.messages).toEqual(["live", "end"]);
    expect(await server.texts("t?since=all&scheduled=1")).toEqual([]);
  });
});

describe("scheduled messages", () => {
  it("are delivered by a job every ten seconds, once, and again to those who saw them pending", async () => {
    const server = await start();
    const stream = await server.open("/t/json");
    const later = await server.publish("t", "later", { In: "15s" });
    expect(later.time).toBe(server.clock.nowS + 15);
    const wide = await server.open("/t/json?since=all&scheduled=1");
    await wide.until(({ messages }) => messages.length === 1);
    server.clock.advance(19);
    expect(await server.texts("t")).toEqual([]);
    server.clock.advance(1);
    expect(await server.poll("t")).toEqual([later]);
    await stream.until(({ messages }) => messages.length === 1);
    await wide.until(({ messages }) => messages.length === 2);
    expect(wide.events.slice(1)).toEqual([later, later]);
    server.clock.advance(60);
    await server.publish("t", "end");
    await stream.until(({ messages }) => messages.includes("end"));
    expect(stream.messages).toEqual(["later", "end"]);
  });
});
