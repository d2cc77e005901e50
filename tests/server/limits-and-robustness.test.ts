// docs/protocol.md §11, and clients that are slow, broken or hostile.
import net from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { splitTopicsByUrlLength, type ServerAddress } from "../../src/protocol";
import { readOptions } from "../../src/server";
import { visitorKey, Visitors } from "../../src/server/visitors";
import { ManualClock } from "./manual-clock";
import { newFolder, start, type TestServer } from "./test-server";

/** Sends these texts, each after an answer to the one before; resolves to all that came back once the connection ends. */
function sendRaw(server: TestServer, text: string, ...more: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(server.server.port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      const next = more.shift();
      if (next !== undefined) socket.write(next);
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
    socket.write(text);
  });
}

describe("requests", () => {
  it("are rationed, even CORS preflights, except for the server's own paths and wrong ones", async () => {
    const server = await start({ limits: { requests: 5, requestRefill: 5 } });
    await server.publish("t", "1");
    await server.publish("t", "2");
    await server.poll("t");
    await server.ask("/t/auth");
    await server.ask("/t/json", { method: "OPTIONS" });
    for (const [method, path] of [
      ["PUT", "/t"],
      ["GET", "/t/json"],
      ["GET", "/t/auth"],
      ["GET", "/t/publish"],
      ["OPTIONS", "/"],
      ["GET", "/file/abcdefghij12"],
      ["POST", "/v1/account/token"],
    ] as const) {
      const answer = await server.ask(path, { method });
      expect(JSON.parse(answer.text), `${method} ${path}`).toMatchObject({ code: 42901, http: 429 });
      expect(answer.headers["retry-after"]).toBeUndefined();
    }
    expect((await server.ask("/v1/health")).status).toBe(200);
    expect((await server.ask("/v1/stats")).status).toBe(200);
    expect((await server.ask("/t/nothing")).status).toBe(404);
    server.clock.advance(5);
    expect((await server.ask("/t/auth")).status).toBe(200);
    expect(await server.code("/t/auth")).toBe(42901);
  });

  it("leave neither a topic nor a line in the log when they are refused", async () => {
    const server = await start({ behindProxy: true, limits: { requests: 1, requestRefill: "1h", topics: 2 } });
    const by = (last: number) => ({ headers: { "X-Forwarded-For": `10.0.0.${last}` } });
    expect(await server.code("/first/auth", by(1))).toBe(0);
    for (let at = 0; at < 20; at++) {
      expect(await server.code(`/a${at},b${at}/json?poll=1`, by(1))).toBe(42901);
      expect(await server.code(`/c${at}`, { method: "PUT", body: "x", ...by(1) })).toBe(42901);
    }
    for (const method of ["QUERY", "PROPFIND"])
      expect((await server.ask("/", { method, ...by(1) })).status).toBeLessThan(500);
    expect(server.reported).toEqual([]);
    expect(await server.code("/mine,yours/json?poll=1", by(2))).toBe(0);
  });

  it("are counted by the address that a trusted proxy names last", async () => {
    const server = await start({ behindProxy: true, limits: { requests: 1, requestRefill: "1h" } });
    const from = (address: string) => server.ask("/t/auth", { headers: { "X-Forwarded-For": `6.6.6.6, ${address}` } });
    expect((await from("10.0.0.1")).status).toBe(200);
    expect((await from("10.0.0.1")).status).toBe(429);
    expect((await from("10.0.0.2")).status).toBe(200);
    // Requests whose address isn't one are all counted as the proxy's own.
    expect((await from("unknown")).status).toBe(200);
    expect((await from("somebody else")).status).toBe(429);
    const direct = await start({ limits: { requests: 1, requestRefill: "1h" } });
    await direct.ask("/t/auth");
    expect((await direct.ask("/t/auth", { headers: { "X-Forwarded-For": "10.0.0.3" } })).status).toBe(429);
  });

  it.each([
    ["127.0.0.1", "127.0.0.1"],
    ["::ffff:10.1.2.3", "10.1.2.3"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("of %s are counted as %s", (address, key) => {
    expect(visitorKey(address)).toBe(key);
  });
});

describe("other limits", () => {
  it("messages are counted anew from midnight UTC", async () => {
    const server = await start({ limits: { messagesPerDay: 2 } });
    await server.publish("t", "1");
    await server.publish("t", "2");
    expect(await server.code("/t", { method: "PUT", body: "3" })).toBe(42908);
    server.clock.advance(14 * 3_600);
    await server.publish("t", "tomorrow");
  });

  it("of the day are used up by clearing and deleting too", async () => {
    const server = await start({ limits: { messagesPerDay: 3 } });
    await server.publish("t", "1");
    expect(await server.code("/t/s/clear", { method: "PUT" })).toBe(0);
    const left = async () =>
      (JSON.parse((await server.ask("/v1/account")).text) as { stats: { messages_remaining: number } }).stats
        .messages_remaining;
    expect(await left()).toBe(1);
    expect(await server.code("/t/s", { method: "DELETE" })).toBe(0);
    expect(await left()).toBe(0);
    expect(await server.code("/t/s/clear", { method: "PUT" })).toBe(42908);
    expect(await server.code("/t/s", { method: "DELETE" })).toBe(42908);
  });

  it("follow from the refill of requests unless set", async () => {
    const server = await start({ limits: { messagesPerDay: 0 } });
    expect(await server.code("/t", { method: "PUT", body: "x" })).toBe(42908);
    const account = JSON.parse((await server.ask("/v1/account")).text) as { limits: { messages: number } };
    expect(account.limits.messages).toBe(0);
  });

  it("idle topics make room for others, and topics that someone listens to never do", async () => {
    const server = await start({ behindProxy: true, limits: { topics: 2 } });
    const stream = await server.open("/heard/json");
    for (const name of ["a", "b", "c"]) await server.publish(name, "x");
    const second = await server.open("/b/json");
    const by = { headers: { "X-Forwarded-For": "10.0.0.2" } };
    expect(await server.code("/d/json?poll=1", by)).toBe(42904);
    expect(await server.code("/d", { method: "PUT", body: "x", ...by })).toBe(42904);
    await server.publish("heard", "still heard");
    await stream.until(({ messages }) => messages.includes("still heard"));
    second.close();
    await expect.poll(() => server.server.streams()).toHaveLength(1);
    expect(await server.code("/d/json?poll=1", by)).toBe(0);
    expect(await server.texts("a")).toEqual(["x"]);
  });

  it("a visitor may name 100 topics that did not exist, then one more each minute", async () => {
    const server = await start({
      limits: { newTopics: 100, newTopicRefill: "1m" },
      access: { rules: [{ user: "*", topic: "secret*", allow: "deny-all" }] },
    });
    const names = (count: number) => Array.from({ length: count }, (_, at) => `new${at}`).join(",");
    const put = { method: "PUT", body: "x" };
    expect(await server.code(`/${names(100)}/json?poll=1`)).toBe(0);
    expect(await server.code("/another", put)).toBe(42911);
    expect(await server.code("/another/publish")).toBe(42911);
    expect(await server.code("/", { method: "POST", body: '{"topic":"another"}' })).toBe(42911);
    expect(await server.code("/another/auth")).toBe(42911);
    await expect(server.openWebSocket("/another/ws")).rejects.toThrow("429");
    // One that is new refuses the whole list; what exists costs nothing.
    expect(await server.code(`/${names(101)}/json?poll=1`)).toBe(42911);
    expect(await server.code(`/${names(100)}/json?poll=1`)).toBe(0);
    expect(await server.code("/new0", put)).toBe(0);
    server.clock.advance(60);
    // What may not be named at all takes nothing away.
    expect(await server.code("/secret/json?poll=1")).toBe(40301);
    expect(await server.code(`/${names(101)}/json?poll=1`)).toBe(0);
    expect(await server.code("/another", put)).toBe(42911);
  });

  it("topics of stored messages are not new after a restart", async () => {
    const options = {
      stateFile: join(await newFolder(), "state.jsonl"),
      limits: { newTopics: 1, newTopicRefill: "1h" },
    };
    const server = await start(options);
    await server.publish("old", "x");
    await server.server.close();
    const again = await start(options, { clock: server.clock });
    expect(await again.code("/old/json?poll=1")).toBe(0);
    expect(await again.code("/new/json?poll=1")).toBe(0);
    expect(await again.code("/newer/json?poll=1")).toBe(42911);
  });

  it("all streams of one visitor together carry no more topics than allowed", async () => {
    const server = await start({ limits: { visitorTopics: 5 } });
    const stream = await server.open("/a,b,c/json");
    expect(await server.code("/d,e,f/json")).toBe(42903);
    expect((await server.ask("/d,e,f/json?poll=1")).status).toBe(200);
    const second = await server.open("/d,e/json");
    stream.close();
    await expect.poll(() => server.server.streams()).toHaveLength(1);
    (await server.open("/a,b,c/json")).close();
    second.close();
  });

  it("a list may be as long as our own app's longest request", async () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"];
    const shortest = [...letters, ...letters.flatMap((first) => letters.map((second) => first + second))];
    const [longest = []] = splitTopicsByUrlLength("http://a" as ServerAddress, shortest);
    expect(longest.length).toBeGreaterThan(1_200);
    const server = await start();
    expect((await server.ask(`/${longest.join(",")}/json?poll=1`)).status).toBe(200);
    expect(await server.code(`/${shortest.slice(0, 1_401).join(",")}/json?poll=1`)).toBe(40009);
    expect(await server.code(`/${shortest.slice(0, 1_401).join(",")}/auth`)).toBe(40009);
  });

  it("connections of one visitor are limited, and one more is cut until another ends", async () => {
    const server = await start({ limits: { connections: 3 } });
    const streams = [await server.open("/a/json"), await server.open("/b/sse"), await server.openWebSocket("/c/ws")];
    await expect(server.ask("/v1/health")).rejects.toThrow();
    streams[0]?.close();
    await expect.poll(() => server.server.streams()).toHaveLength(2);
    await expect
      .poll(() =>
        server.ask("/v1/health").then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    for (const stream of streams) stream.close();
  });

  it("a bounded number of visitors is remembered, and the one longest away is forgotten, never one who is connected", () => {
    const settings = readOptions({});
    if (!settings.ok) throw new Error("the defaults are no options");
    const visitors = new Visitors(settings.value, new ManualClock(), 3);
    visitors.byKey("a").streams = 1;
    const second = visitors.byKey("b");
    for (const key of ["c", "d", "e"]) visitors.byKey(key);
    expect(visitors.size).toBe(3);
    expect(visitors.byKey("a").streams).toBe(1);
    expect(visitors.byKey("b")).not.toBe(second);
  });

  it("the memory for messages is shared, and a visitor who fills it loses only their own oldest messages", async () => {
    const server = await start({ behindProxy: true, limits: { cacheBytes: 200_000 } });
    const by = (last: number) => ({ "X-Forwarded-For": `10.0.0.${last}` });
    for (let at = 0; at < 20; at++) await server.publish("quiet", `quiet ${at}`, by(1));
    for (let at = 0; at < 300; at++) await server.publish("loud", `loud ${at} ${"x".repeat(1_000)}`, by(2));
    expect(await server.texts("quiet")).toHaveLength(20);
    const loud = await server.texts("loud");
    expect(loud.length).toBeGreaterThan(80);
    expect(loud.length).toBeLessThan(120);
    expect(loud.at(-1)).toMatch(/^loud 299 /);
    // An upload is deleted with its message.
    const { id } = await server.publish("loud", "x", { Filename: "f", ...by(3) });
    for (let at = 0; at < 300; at++) await server.publish("loud", "x".repeat(1_000), by(3));
    expect(await server.code(`/file/${id}`)).toBe(40401);
    expect(await server.texts("quiet")).toHaveLength(20);
  });

  it("all fields of a message together have a limited size", async () => {
    const server = await start();
    expect(await server.code("/t", { method: "PUT", headers: { Title: "x".repeat(16_000) } })).toBe(0);
    for (const name of ["Title", "Message", "Tags", "Click", "Filename"]) {
      expect(await server.code("/t", { method: "PUT", headers: { [name]: "x".repeat(17_000) } }), name).toBe(40000);
    }
  });

  it("a list of topics counts as one stream", async () => {
    const server = await start({ limits: { streams: 2 } });
    const first = await server.open("/a,b,c/json");
    const second = await server.open("/a/sse");
    expect(await server.code("/a/raw")).toBe(42903);
    first.close();
    second.close();
  });

  it("a bad parameter does not use up a stream", async () => {
    const server = await start({ limits: { streams: 1 } });
    expect(await server.code("/t/json?since=bad")).toBe(40008);
    expect(await server.code("/t/json?since=bad")).toBe(40008);
    expect((await server.ask("/t/json?poll=1")).status).toBe(200);
  });
});

describe("a reader who can't keep up", () => {
  it.each(["json", "ws"])("is cut off, while others go on: %s", async (format) => {
    const server = await start({ limits: { streamBufferBytes: 500_000, messageBytes: 200_000 } });
    const healthy = await server.open("/t/json");
    const socket = net.connect(server.server.port, "127.0.0.1");
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
    const key = "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==";
    const lines = [`GET /t/${format} HTTP/1.1`, "Host: x", ...(format === "ws" ? [...upgrade, key] : [])];
    const closed = new Promise((resolve) => socket.on("close", resolve));
    // The connection is cut before the client has read everything.
    socket.on("error", () => socket.destroy());
    socket.pause();
    socket.write([...lines, "", ""].join("\r\n"));
    await expect.poll(() => server.server.streams()).toHaveLength(2);
    let sent = 0;
    while (server.server.streams().length === 2) {
      await server.server.publish({ topic: "t", message: "x".repeat(100_000) });
      sent++;
      // Lets the healthy reader read.
      await healthy.until(({ messages }) => messages.length === sent);
    }
    expect(sent).toBeGreaterThan(4);
    socket.resume();
    await closed;
    await server.publish("t", "end");
    await healthy.until(({ messages }) => messages.includes("end"));
  });

  it.each(["json", "ws"])("is cut off when nothing moves for too long, even in a replay: %s", async (format) => {
    const server = await start({ limits: { idleTime: 60, messageBytes: 100_000 } });
    for (let at = 0; at < 200; at++) await server.server.publish({ topic: "t", message: "x".repeat(90_000) });
    const socket = net.connect(server.server.port, "127.0.0.1");
    socket.on("error", () => socket.destroy());
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
    const key = "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==";
    const head = [`GET /t/${format}?since=all HTTP/1.1`, "Host: x", ...(format === "ws" ? [...upgrade, key] : [])];
    socket.write([...head, "", ""].join("\r\n"));
    await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    await expect
      .poll(() => {
        server.clock.advance(61);
        return server.server.streams();
      })
      .toEqual([]);
    socket.destroy();
  });

  it("gets the whole of a long replay", async () => {
    const server = await start({ limits: { streamBufferBytes: 200_000 } });
    for (let at = 0; at < 5_000; at++) await server.server.publish({ topic: "t", message: `${at} ${"x".repeat(500)}` });
    const messages = await server.poll("t");
    expect(messages).toHaveLength(5_000);
    expect(messages.at(-1)?.message).toMatch(/^4999 /);
  });
});

describe("a request that is hardly HTTP", () => {
  it("is answered with 400 if it is malformed", async () => {
    const server = await start();
    const said = await sendRaw(server, "nonsense\r\n\r\n");
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect(said).toContain('"code":40000');
  });

  it("is answered with 431 if its headers are too long", async () => {
    const server = await start();
    const said = await sendRaw(server, `GET /t/json HTTP/1.1\r\nHost: x\r\nX-Big: ${"x".repeat(70_000)}\r\n\r\n`);
    expect(said).toMatch(/^HTTP\/1\.1 431 /);
  });

  it("may have damaged escapes or invalid UTF-8 in its query", async () => {
    const server = await start();
    await server.publish("t", "x", { Title: "100%" });
    expect(await server.texts("t?title=100%")).toEqual(["x"]);
    expect(await server.texts("t?title=%ff%fe")).toEqual([]);
    expect(await server.texts("t?%zz=1&%&=&&since=all")).toEqual(["x"]);
  });

  it("is answered even if it offers another upgrade, with or without a body", async () => {
    const server = await start();
    const offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__";
    const put = `PUT /t HTTP/1.1\r\nHost: x\r\n${offer}\r\nContent-Length: 5\r\n\r\nhello`;
    const health = `GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const said = await sendRaw(server, put, health);
    expect(said).toContain('"message":"hello"');
    expect(said).toContain('{"healthy":true}\n');
    expect(await server.texts("t")).toEqual(["hello"]);
  });

  it("may name the server in its first line", async () => {
    const server = await start();
    await server.publish("t", "x");
    const said = await sendRaw(server, "GET http://x/t/raw?poll=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(said).toContain("text/plain");
    expect(said).toContain("x\n");
  });

  it("may break off in the middle of a message", async () => {
    const server = await start();
    const socket = net.connect(server.server.port, "127.0.0.1");
    socket.write("PUT /t HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
    socket.end();
    await new Promise((resolve) => socket.on("close", resolve).resume());
    expect(await server.texts("t")).toEqual([]);
    expect(server.reported).toEqual([]);
  });

  it("may follow a refused body on the same connection", async () => {
    const server = await start({ attachments: false });
    const body = "x".repeat(100_000);
    const put = `PUT /t HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const said = await sendRaw(server, put, "GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(said).toContain('"code":40014');
    expect(said).toContain('"healthy":true');
  });

  it("is answered with an error if its address has unescaped letters beyond ASCII", async () => {
    const server = await start();
    const ask = (path: string) => sendRaw(server, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    for (const path of ["/ä/json?poll=1", "/t/json?poll=1&title=ä"])
      expect(await ask(path)).toMatch(/^HTTP\/1\.1 400 .*"code":40000,.*must be escaped/s);
  });

  it("is answered even if it offers a WebSocket where there is none", async () => {
    const server = await start();
    const offer = "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13";
    const last = "GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const ask = (path: string) => sendRaw(server, `GET ${path} HTTP/1.1\r\n${offer}\r\n\r\n`, last);
    expect(await ask("/v1/stats")).toContain('{"messages":0');
    expect(await ask("/t/json?poll=1")).toMatch(/^HTTP\/1\.1 200 /);
    for (const path of ["/docs/ws", "/%64ocs/ws", "/t/nothing"]) expect(await ask(path)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it("ends the connection if it offers a WebSocket while an earlier one isn't answered", async () => {
    const server = await start();
    const offer = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13";
    const key = "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==";
    await sendRaw(
      server,
      `GET /t/json HTTP/1.1\r\nHost: x\r\n\r\nGET /t/ws HTTP/1.1\r\nHost: x\r\n${offer}\r\n${key}\r\n\r\n`,
    );
    await expect.poll(() => server.server.streams()).toEqual([]);
    expect((await server.ask("/v1/health")).status).toBe(200);
    expect(server.reported).toEqual([]);
  });

  it("is refused if it opens a WebSocket with a broken handshake, and uses up no stream", async () => {
    const server = await start({ limits: { streams: 1 } });
    const head =
      "GET /t/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: bad\r\n\r\n";
    expect(await sendRaw(server, head)).toMatch(/^HTTP\/1\.1 400 /);
    await expect.poll(async () => (await server.ask("/t/json?poll=1")).status).toBe(200);
  });
});
