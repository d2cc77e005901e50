// docs/protocol.md §6 to 8.
import net from "node:net";
import { describe, expect, it } from "vitest";
import { start } from "./test-server";

describe("a JSON stream", () => {
  it("opens with the list as it was in the URL, and carries new messages", async () => {
    const server = await start();
    const stream = await server.open("/a%2Cb/json");
    await stream.until(({ lines }) => lines.length === 1);
    expect(stream.headers).toMatchObject({
      "content-type": "application/x-ndjson; charset=utf-8",
      "access-control-allow-origin": "*",
      "transfer-encoding": "chunked",
      // With this header nginx, in its default configuration, passes each line on at once.
      "x-accel-buffering": "no",
    });
    expect(stream.events).toEqual([
      { id: expect.stringMatching(/^[A-Za-z0-9]{12}$/), time: server.clock.nowS, event: "open", topic: "a,b" },
    ]);
    const sent = await server.publish("b", "live");
    await stream.until(({ lines }) => lines.length === 2);
    expect(stream.events[1]).toEqual(sent);
  });

  it("replays first, then goes on live, with each message in exactly one of the two", async () => {
    const server = await start();
    for (let at = 0; at < 1_000; at++) await server.server.publish({ topic: "t", message: String(at) });
    const opening = server.open("/t/json?since=all");
    for (let at = 1_000; at < 1_500; at++) await server.server.publish({ topic: "t", message: String(at) });
    const stream = await opening;
    await server.publish("t", "end");
    await stream.until(({ messages }) => messages.includes("end"));
    expect(stream.messages).toEqual([...Array.from({ length: 1_500 }, (_, at) => String(at)), "end"]);
  });

  it("gets each message of a topic twice that is named twice", async () => {
    const server = await start();
    const stream = await server.open("/t,t/json");
    await server.publish("t", "new");
    await stream.until(({ messages }) => messages.length === 2);
    expect(stream.messages).toEqual(["new", "new"]);
  });

  it("gets a keepalive every 45 seconds, whatever else was sent", async () => {
    const server = await start();
    const stream = await server.open("/t/json");
    await stream.until(({ lines }) => lines.length === 1);
    server.clock.advance(44);
    await server.publish("t", "in between");
    server.clock.advance(1);
    await stream.until(({ lines }) => lines.length === 3);
    expect(stream.events.map(({ event }) => event)).toEqual(["open", "message", "keepalive"]);
    expect(stream.events[2]).toEqual({
      id: expect.any(String),
      time: server.clock.nowS,
      event: "keepalive",
      topic: "t",
    });
  });

  it("carries a poll request live only", async () => {
    const server = await start();
    const stream = await server.open("/t/json");
    const answer = await server.publish("t", "ignored", { "X-Poll-ID": "abcdefghij12" });
    await stream.until(({ lines }) => lines.length === 2);
    expect(answer).toEqual({
      ...{ id: expect.any(String), time: server.clock.nowS, event: "poll_request", topic: "t" },
      ...{ message: "New message", poll_id: "abcdefghij12" },
    });
    expect(stream.events[1]).toEqual(answer);
    expect(await server.poll("t")).toEqual([]);
  });
});

describe("a proxy", () => {
  it.each(["json", "sse", "raw"])("is told not to buffer the stream: %s", async (format) => {
    const server = await start();
    const stream = await server.open(`/t/${format}`);
    expect(stream.headers["x-accel-buffering"]).toBe("no");
    stream.close();
    expect((await server.ask(`/t/${format}?poll=1`)).headers["x-accel-buffering"]).toBeUndefined();
  });
});

describe("the other formats", () => {
  it("sse names all events but messages", async () => {
    const server = await start({ keepalive: 5 });
    const stream = await server.open("/t/sse");
    await stream.until(({ lines }) => lines.length === 3);
    const message = await server.publish("t", "two\nlines");
    server.clock.advance(5);
    await stream.until(({ lines }) => lines.length === 8);
    const [openName, openData, blank, data, blank2, keepaliveName] = stream.lines;
    expect([openName, blank, blank2, keepaliveName]).toEqual(["event: open", "", "", "event: keepalive"]);
    expect(openData).toMatch(/^data: \{/);
    expect(data).toBe(`data: ${JSON.stringify(message)}`);
    expect(stream.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  });

  it("raw sends each text in one line, and an empty line for all other events", async () => {
    const server = await start({ keepalive: 5 });
    const stream = await server.open("/t/raw");
    await stream.until(({ lines }) => lines.length === 1);
    await server.publish("t", "two\nlines", { Title: "not shown" });
    await server.publish("t", "", { "X-Poll-ID": "abcdefghij12" });
    server.clock.advance(5);
    await stream.until(({ lines }) => lines.length === 4);
    expect(stream.lines).toEqual(["", "two lines", "", ""]);
  });

  it("polls end after the last message in every format", async () => {
    const server = await start();
    const one = await server.publish("t", "one");
    expect((await server.ask("/t/json?poll=1")).text).toBe(`${JSON.stringify(one)}\n`);
    expect((await server.ask("/t/sse?poll=1")).text).toBe(`data: ${JSON.stringify(one)}\n\n`);
    expect((await server.ask("/t/raw?poll=1")).text).toBe("one\n");
  });
});

describe("a WebSocket", () => {
  it("sends one object a frame, and pings instead of keepalives", async () => {
    const server = await start();
    const stream = await server.openWebSocket("/a,b/ws", { Origin: "https://app.example" });
    await stream.until(({ lines }) => lines.length === 1);
    const pinged = new Promise((resolve) => stream.socket.once("ping", resolve));
    server.clock.advance(45);
    await pinged;
    const sent = await server.publish("b", "live");
    await stream.until(({ lines }) => lines.length === 2);
    expect(stream.events).toEqual([
      expect.objectContaining({ event: "open", topic: "a,b" }),
      { ...sent, sequence_id: sent.id },
    ]);
    expect(stream.socket.protocol).toBe("");
    expect(stream.socket.extensions).toBe("");
  });

  it("ends a poll without a close frame", async () => {
    const server = await start();
    await server.publish("t", "one");
    const stream = await server.openWebSocket("/t/ws?poll=1");
    const code = await new Promise<number>((resolve) => stream.socket.on("close", resolve));
    expect(stream.messages).toEqual(["one"]);
    expect(code).toBe(1006);
  });

  it("is dropped when it no longer answers pings", async () => {
    const server = await start();
    const stream = await server.openWebSocket("/t/ws");
    stream.socket.pong = () => undefined;
    Object.assign(stream.socket, { _autoPong: false });
    server.clock.advance(45);
    server.clock.advance(45);
    await stream.untilEnded();
    expect(server.server.streams()).toEqual([]);
  });

  it("is dropped when it sends pongs that answer no ping", async () => {
    const server = await start();
    const stream = await server.openWebSocket("/t/ws");
    const pong = stream.socket.pong.bind(stream.socket);
    stream.socket.pong = () => pong("something else");
    for (let ping = 1; ping <= 2; ping++) {
      server.clock.advance(45);
      // The answer to this ping means that everything sent before it has arrived.
      const answered = new Promise((resolve) => stream.socket.once("pong", resolve));
      stream.socket.ping("ours");
      await Promise.race([answered, stream.untilEnded()]);
    }
    await stream.untilEnded();
    expect(server.server.streams()).toEqual([]);
  });

  it("is dropped for a frame of more than 64 bytes, not for a small one", async () => {
    const server = await start();
    const stream = await server.openWebSocket("/t/ws");
    stream.socket.send("x".repeat(64));
    await server.publish("t", "still there");
    await stream.until(({ messages }) => messages.includes("still there"));
    stream.socket.send("x".repeat(65));
    await stream.untilEnded();
  });

  it("needs an upgrade, which is refused by a status without a body", async () => {
    const server = await start({ limits: { streams: 0 } });
    expect(await server.code("/t/ws")).toBe(40016);
    const said = await new Promise<string>((resolve) => {
      const socket = net.connect(server.server.port, "127.0.0.1");
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("close", () => resolve(text));
      const lines = ["GET /t/ws HTTP/1.1", "Host: x", "Connection: Upgrade", "Upgrade: websocket"];
      socket.write(
        [...lines, "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==", "", ""].join("\r\n"),
      );
    });
    expect(said).toMatch(/^HTTP\/1\.1 429 /);
    expect(said.split("\r\n\r\n")[1]).toBe("");
    expect(said.toLowerCase()).not.toContain("access-control");
  });
});

describe("the end of a stream", () => {
  it("makes room for another one when the client leaves", async () => {
    const server = await start({ limits: { streams: 1 } });
    const stream = await server.open("/t/json");
    await stream.until(({ lines }) => lines.length === 1);
    expect(server.server.streams()).toEqual([{ topics: ["t"], format: "json" }]);
    expect(await server.code("/t/json?poll=1")).toBe(42903);
    stream.close();
    await expect.poll(() => server.server.streams()).toEqual([]);
    expect((await server.ask("/t/json?poll=1")).status).toBe(200);
    expect((await server.ask("/t/json?poll=1")).status).toBe(200);
  });

  it("comes at once for all when the server stops, and when it cuts them", async () => {
    const server = await start();
    const http = await server.open("/t/json");
    server.server.cutStreams();
    await http.untilEnded();
    const again = await server.open("/t/sse");
    const webSocket = await server.openWebSocket("/t/ws");
    const code = new Promise<number>((resolve) => webSocket.socket.on("close", resolve));
    await server.server.close();
    await again.untilEnded();
    expect(await code).toBe(1006);
  });
});
