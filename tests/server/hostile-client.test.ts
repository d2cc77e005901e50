// The server goes on while one client does all the harm it can think of (docs/server.md, "What it withstands").
import { randomBytes } from "node:crypto";
import http from "node:http";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import type { ServerOptions } from "../../src/server";
import { ServerProcess, type Inside } from "./server-process";

/**
 * The most turns that an answer may take. A turn is one request to the neighbour: a second server of the same kind,
 * idle, in its own process. Its turns are as slow as the machine is at the moment, so the count shows how long the
 * attacked server kept a client waiting, and if that hangs the count never ends.
 */
const MAX_TURNS = 2_000;
/** Pause between two requests for the server's health, ms: a hundred turns, much less than `MAX_TURNS`. */
const PROBE_EVERY_MS = 100;
const MEBIBYTE = 1024 * 1024;

/** Limits of rate and number are so high that the server itself must withstand the attack. */
const PLENTY = 1_000_000;
const LIMITS = {
  ...{ requests: PLENTY, streams: PLENTY, messagesPerDay: PLENTY, topics: PLENTY, visitorTopics: PLENTY },
  ...{ newTopics: PLENTY },
  ...{ connections: 1_200, streamBufferBytes: MEBIBYTE },
};
const OPTIONS: ServerOptions = { port: 0, attachments: {}, limits: LIMITS };
/** For tests that wait until a silent connection is ended. */
const HASTY: ServerOptions = { ...OPTIONS, limits: { ...LIMITS, headerTime: 1, requestTime: 2, idleTime: 2.5 } };

let neighbour: ServerProcess;
let server: ServerProcess;
let options = OPTIONS;
const open = new Set<net.Socket>();

async function serve(changed: ServerOptions): Promise<void> {
  options = changed;
  server = await ServerProcess.start(options);
  // The server has answered one request before anything is measured.
  await ask(server, "/v1/health");
}

async function endServer(): Promise<void> {
  for (const socket of open) socket.destroy();
  await server.kill();
}

beforeAll(async () => {
  neighbour = await ServerProcess.start({ port: 0 });
  await ask(neighbour, "/v1/health");
});
afterAll(() => neighbour.kill());

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

function ask(
  { port }: ServerProcess,
  path: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: http.OutgoingHttpHeaders; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port, path, method, headers, agent: false });
    request.on("error", reject);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    request.end(body === undefined ? undefined : Buffer.from(body));
  });
}

/** A connection on which anything can be said. */
class Line {
  text = "";
  readonly closed: Promise<void>;

  constructor(readonly socket: net.Socket) {
    open.add(socket);
    socket.on("data", (chunk: Buffer) => (this.text += chunk.toString("latin1")));
    // A reset shows as an error before the close.
    socket.on("error", () => socket.destroy());
    this.closed = new Promise((resolve) =>
      socket.once("close", () => {
        open.delete(socket);
        resolve();
      }),
    );
  }

  say(bytes: string | Buffer): this {
    if (this.socket.writable) this.socket.write(bytes);
    return this;
  }

  /** Stops reading. */
  deaf(): this {
    this.socket.pause();
    return this;
  }

  /** Resolves once the connection has received this text. */
  async until(said: string): Promise<void> {
    while (!this.text.includes(said)) {
      if (this.socket.destroyed) throw new Error(`the connection has ended with ${this.text}`);
      await Promise.race([new Promise((resolve) => this.socket.once("data", resolve)), this.closed]);
    }
  }

  async hangUp(): Promise<void> {
    this.socket.destroy();
    await this.closed;
  }
}

/** Connects and sends something at once, as headers have to come soon. */
function connect(said: string | Buffer = ""): Promise<Line> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: "127.0.0.1", port: server.port });
    const line = new Line(socket);
    socket.once("connect", () => resolve(line.say(said)));
    socket.once("close", () => resolve(line));
  });
}

function connectMany(count: number, said: (at: number) => string | Buffer = () => ""): Promise<Line[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => connect(said(at))));
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, "Host: x", ...headers, "", ""].join("\r\n");
const upgrade = (path: string) =>
  get(
    path,
    ...["Connection: Upgrade", "Upgrade: websocket"],
    ...["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng=="],
  );

async function publish(topic: string, body: string, headers: http.OutgoingHttpHeaders = {}): Promise<{ id: string }> {
  const { status, text } = await ask(server, `/${topic}`, { method: "PUT", headers, body });
  // To a server in haste, requests from a busy machine may come too slowly.
  if (status === 408) return publish(topic, body, headers);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text) as { id: string };
}

/** Publishes `count` messages of the same text, a few at a time. */
async function publishMany(
  count: number,
  topicOf: (at: number) => string,
  text: string,
  headers: http.OutgoingHttpHeaders = {},
): Promise<void> {
  let at = 0;
  const work = async () => {
    while (at < count) await publish(topicOf(at++), text, headers);
  };
  await Promise.all(Array.from({ length: 10 }, work));
}

/** Waits until this holds of what the server process reports about itself. */
async function until(holds: (inside: Inside) => boolean): Promise<void> {
  while (!holds(await server.inside())) await wait(20);
}

/** Asks the server for its health; resolves to the number of turns until its answer. */
async function turnsToHealth(): Promise<number> {
  let isAnswered = false;
  const answering = ask(server, "/v1/health").finally(() => (isAnswered = true));
  // The answer is awaited below; until then a failure must not end the process.
  answering.catch(() => undefined);
  let turns = 0;
  for (; !isAnswered; turns++) {
    if (turns === MAX_TURNS) throw new Error(`no answer within ${MAX_TURNS} turns of an idle server`);
    await ask(neighbour, "/v1/health");
  }
  expect((await answering).status).toBe(200);
  return turns;
}

/** Attacks, and asks for the server's health again and again until the attack is over. */
async function withstands<T>(attack: () => Promise<T>): Promise<T> {
  onTestFailed(async () => {
    await server.kill();
    await serve(options);
  });
  let isOver = false;
  const attacking = attack().finally(() => (isOver = true));
  attacking.catch(() => undefined);
  do {
    await turnsToHealth();
    await Promise.race([attacking.catch(() => undefined), wait(PROBE_EVERY_MS)]);
  } while (!isOver);
  const result = await attacking;
  await turnsToHealth();
  expect((await server.inside()).reported).toEqual([]);
  return result;
}

describe("a server with time", () => {
  beforeAll(() => serve(OPTIONS));
  afterAll(endServer);

  describe("ten requests at once", () => {
    const AT_ONCE = 10;
    /** Code of an error; 0 for any other answer. */
    const code = ({ text }: Answer) =>
      text.startsWith("{") ? ((JSON.parse(text.split("\n", 1)[0] ?? "") as { code?: number }).code ?? 0) : 0;
    const names = (count: number) => Array.from({ length: count }, () => "a").join(",");
    const json = (value: string) => ({ method: "POST", body: value });

    it.each<[string, string, { method?: string; headers?: Record<string, string>; body?: string }, number]>([
      [
        "an upload that could be an SVG's beginning in endless ways",
        "/t",
        { method: "PUT", headers: { Filename: "f" }, body: `<?xml?>${"<!---->".repeat(40)}` },
        0,
      ],
      ["31,000 names", `/${names(31_000)}/json?poll=1`, {}, 40000],
      ["16,000 names", `/${names(16_000)}/json?poll=1`, {}, 40009],
      ["a name three times", "/a,a,a/json?poll=1", {}, 40009],
      ["a number of 30,000 digits", `/t/json?poll=1&since=${"1".repeat(30_000)}`, {}, 40008],
      ["a duration of 30,000 digits", `/t/json?poll=1&since=${"1".repeat(30_000)}!`, {}, 40008],
      ["a duration of 60,000 digits", `/t/json?poll=1&since=${"1".repeat(60_000)}!`, {}, 40000],
      ["a delay of 30,000 digits", "/t", { method: "PUT", headers: { Delay: `${"1".repeat(30_000)}!` } }, 40004],
      ["a delay in endless English", "/", json(JSON.stringify({ topic: "t", delay: "12h 12 am ".repeat(800) })), 40004],
      ["a host of 15,000 dots", `/${"a.".repeat(15_000)}%2F/topic`, {}, 40401],
      ["JSON that is never closed", "/", json(`{"a":${'"\\"'.repeat(2_700)}`), 40024],
      ["JSON of 8,000 brackets", "/", json("[".repeat(8_000)), 40024],
      [
        "actions with thousands of headers",
        "/t",
        {
          method: "PUT",
          headers: {
            Actions: `http, a, http://x, ${Array.from({ length: 1_800 }, (_, at) => `headers.${at}=b`).join(", ")}`,
          },
        },
        40018,
      ],
      ["15,000 actions", "/t", { method: "PUT", headers: { Actions: "a;".repeat(15_000) } }, 40018],
      ["5,000 tags", "/t", { method: "PUT", headers: { Tags: "ab,".repeat(5_000) } }, 40000],
      ["a title of 30,000 letters", "/t", { method: "PUT", headers: { Title: "x".repeat(30_000) } }, 40000],
      ["10,000 encoded words", "/t/json?poll=1", { headers: { Message: "=?utf-8?b?eA==?= ".repeat(1_700) } }, 0],
      ["an open encoded word", "/t/json?poll=1", { headers: { Message: `?= ${"=?a?b?".repeat(4_000)}` } }, 0],
      ["a priority of 10,000 parts", "/t/json?poll=1", { headers: { Priority: "u=1,".repeat(7_500) } }, 40007],
      ["14,000 parameters", `/t/json?poll=1&${"a&".repeat(14_000)}`, {}, 0],
      ["10,000 tags to filter by", `/t/json?poll=1&tags=${"ab,".repeat(10_000)}`, {}, 0],
      ["blanks without end", "/t/json?poll=1", { headers: { Title: `a${" ".repeat(30_000)}b`, Priority: "high" } }, 0],
      ["30,000 slashes", "/".repeat(30_000), {}, 40401],
      ["30,000 escapes", `/${"%2C".repeat(10_000)}/json`, {}, 40009],
    ])("%s", async (_, path, question, expected) => {
      const asked = () => Promise.all(Array.from({ length: AT_ONCE }, () => ask(server, path, question)));
      for (const answer of await withstands(asked)) {
        expect(code(answer)).toBe(expected);
        expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      }
    });

    it("of as many names as a request can hold, with messages for each of them", async () => {
      for (let at = 0; at < 3; at++) await publish("a", "x".repeat(2_000));
      await withstands(async () => {
        const lines = await connectMany(AT_ONCE, (at) => get(`/${names(31_000)}/json?${at % 2 === 0 ? "poll=1" : ""}`));
        await Promise.all(lines.map((line) => line.until("HTTP/1.1 ")));
        await Promise.all(lines.map((line) => line.hangUp()));
        await until(({ streams }) => streams === 0);
      });
    });

    it("with 2,000 headers", async () => {
      const many = Array.from({ length: 2_500 }, (_, at) => `x${at}: 1`);
      const line = await withstands(async () => {
        const said = await connect(get("/t/json?poll=1", ...many, "Connection: close"));
        await said.closed;
        return said;
      });
      expect(line.text).toMatch(/^HTTP\/1\.1 200 /);
    });

    it("with endless headers", async () => {
      const line = await withstands(async () => {
        const said = await connect(`GET / HTTP/1.1\r\n${"x: y\r\n".repeat(20_000)}`);
        await said.closed;
        return said;
      });
      expect(line.text).toMatch(/^HTTP\/1\.1 431 /);
      expect(line.text).toContain("X-Content-Type-Options: nosniff");
    });
  });

  describe("numbers", () => {
    it("three hundred streams get a message each, and may all leave at once", async () => {
      const said = [get("/crowd/json"), get("/crowd/sse"), get("/crowd/raw"), upgrade("/crowd/ws")];
      await withstands(async () => {
        const lines = await connectMany(300, (at) => said[at % said.length] ?? "");
        await until(({ streams }) => streams === 300);
        await publish("crowd", "to everyone");
        await Promise.all(lines.map((line) => line.until("to everyone")));
        for (const { socket } of lines) socket.destroy();
        await until(({ streams }) => streams === 0);
      });
    });

    it("fifty streams of 1,400 topics each may all leave at once", async () => {
      await withstands(async () => {
        const lines = await connectMany(50, (at) => {
          const names = Array.from({ length: 1_400 }, (_, topic) => `many${at}-${topic}`);
          return get(`/${names.join(",")}/json`);
        });
        await until(({ streams }) => streams === 50);
        for (const { socket } of lines) socket.destroy();
        await until(({ streams }) => streams === 0);
      });
    });

    it("fifteen polls of the whole cache run side by side", async () => {
      await publishMany(1_000, (at) => `poll${at % 100}`, "x".repeat(2_000));
      const names = Array.from({ length: 100 }, (_, at) => `poll${at}`).join(",");
      const answers = await withstands(() =>
        Promise.all(Array.from({ length: 15 }, () => ask(server, `/${names}/json?poll=1`))),
      );
      for (const { text } of answers) expect(text.split("\n")).toHaveLength(1_001);
    });

    it("requests on one connection at once are too many", async () => {
      const said = [get("/v1/stats").repeat(5_000), get("/t/json").repeat(300)];
      await withstands(async () => {
        const lines = await connectMany(said.length, (at) => said[at] ?? "");
        await Promise.all(lines.map(({ closed }) => closed));
      });
      await until((inside) => inside.streams === 0);
    });
  });

  describe("a WebSocket", () => {
    /** A frame as a client sends it. */
    function frame(opcode: number, content = "", isLast = true): Buffer {
      const head = Buffer.from([(isLast ? 0x80 : 0) | opcode, 0x80 | content.length, 0, 0, 0, 0]);
      return Buffer.concat([head, Buffer.from(content)]);
    }
    const [TEXT, PING, PONG] = [1, 9, 10];
    const often = (bytes: Buffer) => Buffer.concat(Array.from({ length: 30_000 }, () => bytes));

    it.each<[string, Buffer]>([
      ["bytes by chance", randomBytes(100_000)],
      ["frames without a mask", Buffer.from([0x81, 1, 0x61])],
      ["a frame of 2 ** 60 bytes", Buffer.from([0x82, 0xff, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
      ["a text that is too long", frame(TEXT, "x".repeat(65))],
      ["pings without end", often(frame(PING, "x".repeat(64)))],
      ["pongs without end", often(frame(PONG))],
      ["texts without end", often(frame(TEXT, "x"))],
      ["parts of a text without end", Buffer.concat([frame(TEXT, "", false), often(frame(0, "", false))])],
    ])("with %s is closed", async (_, bytes) => {
      const lines = await connectMany(20, () => upgrade("/t/ws"));
      await Promise.all(lines.map((line) => line.until('"event":"open"')));
      expect(lines[0]?.text).toContain("X-Content-Type-Options: nosniff");
      await withstands(async () => {
        // Half of the connections don't read the answers.
        lines.forEach((line, at) => (at % 2 === 0 ? line : line.deaf()).say(bytes));
        await until(({ streams }) => streams === 0);
      });
      for (const line of lines) await line.hangUp();
    });

    it("with a broken handshake is refused by a status without a body", async () => {
      const offer = get("/t/ws", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: bad");
      const lines = await withstands(async () => {
        const lines = await connectMany(100, () => offer);
        await Promise.all(lines.map(({ closed }) => closed));
        return lines;
      });
      for (const { text } of lines) expect(text).toMatch(/^HTTP\/1\.1 400 [^]*nosniff\r\n\r\n$/);
    });
  });

  describe("memory", () => {
    it("is not filled by readers who stop reading", async () => {
      const before = (await server.inside("tidy")).memory;
      const lines = await connectMany(20, (at) => (at % 2 === 0 ? get("/stalled/json") : upgrade("/stalled/ws")));
      await Promise.all(lines.map((line) => line.until('"event":"open"')));
      for (const line of lines) line.deaf();
      await withstands(async () => {
        // Goes on until the buffers of the system and of the server are full.
        while ((await server.inside()).streams > 0) {
          await publishMany(20, () => "stalled", "x".repeat(4_000), { Cache: "no", Title: "x".repeat(8_000) });
        }
      });
      expect(await server.inside("tidy")).toMatchObject({ streams: 0 });
      expect((await server.inside("tidy")).memory - before).toBeLessThan(30 * MEBIBYTE);
      for (const line of lines) await line.hangUp();
    });

    it("is not filled by requests that each name a new host", async () => {
      for (let at = 0; at < 50; at++) await publish("files", "x", { Filename: "f", Title: "x".repeat(2_000) });
      await ask(server, "/files/json?poll=1");
      const before = (await server.inside("tidy")).memory;
      await withstands(async () => {
        for (let at = 0; at < 200; at++) {
          const { text } = await ask(server, "/files/json?poll=1", { headers: { Host: `name${at}.example` } });
          expect(text).toContain(`http://name${at}.example/file/`);
        }
      });
      // An answer kept for each host name would take 20 MiB in all.
      expect((await server.inside("tidy")).memory - before).toBeLessThan(10 * MEBIBYTE);
    });
  });
});

describe("a server in haste", () => {
  beforeAll(() => serve(HASTY));
  afterAll(endServer);

  describe("time", () => {
    /** Sends single bytes until the server ends the connection. */
    async function drip(line: Line, bytes: string): Promise<void> {
      for (const byte of bytes) {
        if (line.socket.destroyed) return;
        line.say(byte);
        await Promise.race([line.closed, wait(50)]);
      }
      throw new Error("the server took it all");
    }

    it("to send headers is limited, byte by byte or not at all", async () => {
      const lines = await connectMany(100);
      await withstands(() =>
        Promise.all(lines.map((line, at) => (at % 2 === 0 ? drip(line, get(`/${"a".repeat(200)}`)) : line.closed))),
      );
      for (const { text } of lines) expect(text).toMatch(/^HTTP\/1\.1 408 .*nosniff/s);
    });

    it("to send a body is limited, byte by byte or not at all", async () => {
      const head = "PUT /t HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n";
      const lines = await connectMany(100, (at) => `${head}${"x".repeat(at % 4 < 2 ? 10 : 5_000)}`);
      await withstands(() =>
        Promise.all(lines.map((line, at) => (at % 2 === 0 ? drip(line, "x".repeat(500)) : line.closed))),
      );
    });

    it("to be idle between two requests is limited", async () => {
      const lines = await connectMany(100, () => get("/v1/health"));
      await withstands(() => Promise.all(lines.map((line) => line.closed)));
      for (const { text } of lines) expect(text).toMatch(/^HTTP\/1\.1 200 /);
    });

    it("to take an answer is limited: a poll, a file, a replay on a stream or a WebSocket", async () => {
      await publishMany(1_500, () => "slow", "x".repeat(4_000));
      const { id } = await publish("t", "x".repeat(15_000_000), { Filename: "f" });
      const said = [
        get("/slow/json?poll=1"),
        get(`/file/${id}`),
        get("/slow/json?since=all"),
        upgrade("/slow/ws?since=all"),
      ];
      const lines = await withstands(async () => {
        const lines = await connectMany(40, (at) => said[at % said.length] ?? "");
        // Each stops reading at its own first bytes. One that read on until all had some might get everything, and then
        // the server would have nothing left to send.
        await Promise.all(lines.map((line) => line.until("HTTP/1.1 ").then(() => line.deaf())));
        // Clients that don't read never see the end, so the server is asked. The request for its health is the one that
        // remains.
        await until(({ connections, streams }) => connections < 10 && streams === 0);
        return lines;
      });
      for (const line of lines) await line.hangUp();
    });
  });

  describe("garbage", () => {
    const noise = randomBytes(100_000);

    it.each<[string, string | Buffer]>([
      ["bytes by chance", noise],
      ["bytes by chance behind a request", Buffer.concat([Buffer.from(get("/v1/health")), noise])],
      ["zeros", Buffer.alloc(100_000)],
      ["one line without an end", "x".repeat(100_000)],
      ["the beginning of TLS", Buffer.from("16030100c8010000c40303", "hex")],
      ["the beginning of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
      ["a length below zero", "PUT /t HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\nx"],
      ["two lengths", "PUT /t HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx"],
      [
        "chunks that are none",
        `PUT /t HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${"zz\r\n".repeat(9_000)}`,
      ],
      [
        "an endless chunk extension",
        `PUT /t HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${"a".repeat(90_000)}`,
      ],
      ["no host", "GET /v1/health HTTP/1.1\r\n\r\n"],
      ["an expectation", get("/v1/health", "Expect: wonders")],
      ["a tunnel", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n"],
      ["hundreds of offers of another protocol", get("/v1/health", "Connection: Upgrade", "Upgrade: h2c").repeat(600)],
    ])("%s", async (_, bytes) => {
      const lines = await withstands(async () => {
        const lines = await connectMany(20, () => bytes);
        await Promise.all(lines.map(({ closed }) => closed));
        return lines;
      });
      // Every answer that came forbids guessing its content type.
      for (const { text } of lines) {
        const answers = text.split(/(?=HTTP\/1\.1 )/).filter((part) => part.startsWith("HTTP/1.1 "));
        for (const answer of answers) expect(answer).toContain("X-Content-Type-Options: nosniff");
      }
    });

    it("repeated offers of another protocol leave no stream open", async () => {
      const offer = ["Connection: Upgrade", "Upgrade: h2c"];
      await withstands(async () => {
        const lines = await connectMany(20, () => get("/v1/health", ...offer) + get("/t/json", ...offer).repeat(2));
        await Promise.all(lines.map((line) => line.until("HTTP/1.1 200 ")));
        await Promise.all(lines.map((line) => line.hangUp()));
        await until(({ streams }) => streams === 0);
      });
    });

    it("a connection that is closed on one side is closed on the other", async () => {
      const said = [
        get("/t/json"),
        get("/t/json?poll=1"),
        "",
        "GET /t",
        upgrade("/t/ws"),
        "PUT /t HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx",
      ];
      await withstands(async () => {
        const lines = await connectMany(60, (at) => said[at % said.length] ?? "");
        for (const { socket } of lines) socket.end();
        await Promise.all(lines.map(({ closed }) => closed));
      });
      await until(({ streams }) => streams === 0);
    });
  });
});
