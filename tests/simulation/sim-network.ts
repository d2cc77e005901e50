import {
  decodeAuthParameter,
  encodeJson,
  encodeSse,
  STREAM_TYPES,
  type MessageEvent,
  type ProtocolEvent,
} from "../../src/protocol";
import type { Environment } from "../../src/hub";
import { TRAFFIC_SPENT, TRUNCATED, type Traffic } from "../newer-server";
import type { Random } from "./random";
import type { Schedule } from "./schedule";
import { SimAnswer, SimBody } from "./sim-answer";
import type { SimServer, Subscriber } from "./sim-server";

type ConnectWebSocket = Environment["connectWebSocket"];

const CORS = { "Access-Control-Allow-Origin": "*" };
const encoder = new TextEncoder();

/** Faults between the device and the server; probabilities are for each connection. */
export interface NetworkFaults {
  offline: boolean;
  /** Requests are lost without an answer. */
  blackHole: boolean;
  /** A page of a proxy answers, with this status. */
  proxyStatus?: number | undefined;
  /** Something else lives at the address: it answers 200 and this to everything. */
  impostor?: { body: string; type: string } | undefined;
  /** Formats whose streams a proxy holds back for ever; `ws`: it lets no upgrade through. */
  buffered: ReadonlySet<"json" | "sse" | "ws">;
  /** Breaks off somewhere in the body, at any byte. Of a message's publication, the answer is lost. */
  cut: number;
  /** Ends without an error in the middle of a line. */
  truncated: number;
  /** Falls silent somewhere in the body, without either side learning of it. */
  stalled: number;
  /** Lines that are no events come in between. */
  garbage: number;
  /** The server fails inside: an error object, and a clean end behind it (docs/protocol.md §7). */
  failing: number;
  /** The server refuses everything of a kind, with this code. */
  refusing?: { code: number; what: "all" | "streams" | "polls" | "lists" | "messages" };
  /** Polls take from this, and end with an error once it is used up (docs/protocol.md §11). */
  traffic?: Traffic;
}

export const NO_FAULTS: NetworkFaults = {
  ...{ offline: false, blackHole: false, buffered: new Set<"json" | "sse" | "ws">() },
  ...{ cut: 0, truncated: 0, stalled: 0, garbage: 0, failing: 0 },
};

const GARBAGE = ["<html>", "{", '{"event":"message"}', '{"id":"x","time":1,"event":"novel","topic":"a"}', "null", "[]"];

/** The error object that the server writes if it fails in the middle of a body. */
const INTERNAL_ERROR = { code: 50001, http: 500, error: "internal server error" };

type Fate = "cut" | "truncated" | "stalled" | undefined;

/** One connection with a body: takes bytes and delivers them in order, in chunks of any size, until a fault ends it. */
class Connection {
  readonly body = new SimBody(() => void this.#leave());
  isOver = false;
  isStuck = false;
  readonly actor: string;
  readonly #network: SimNetwork;
  readonly #onGone: () => void;
  #leftBytes: number;
  readonly #fate: Fate;
  #readyMs = 0;

  constructor(network: SimNetwork, actor: string, fate: Fate, fateAtByte: number, onGone: () => void) {
    this.#network = network;
    this.actor = actor;
    this.#fate = fate;
    this.#leftBytes = fate ? fateAtByte : Infinity;
    this.#onGone = onGone;
  }

  /** @param arrived told when all of it got through */
  send(text: string, arrived?: () => void): void {
    const { random } = this.#network;
    let bytes = encoder.encode(text);
    while (bytes.length > 0) {
      const size = random.chance(0.7) ? bytes.length : random.int(1, bytes.length);
      const chunk = bytes.subarray(0, size);
      bytes = bytes.subarray(size);
      this.#later(() => this.#deliver(chunk));
    }
    if (!arrived) return;
    this.#later(() => {
      if (!this.isOver && !this.isStuck) arrived();
    });
  }

  /** The server has sent everything. */
  end(): void {
    this.#later(() => this.#close());
  }

  /** Broken, at once. */
  cut(reason: unknown = new TypeError("network error")): void {
    if (!this.#leave()) return;
    this.#network.schedule.enqueue(this.actor, () => this.body.error(reason));
  }

  /** No fault that it was made under ends it any more. */
  spare(): void {
    this.#leftBytes = Infinity;
  }

  #deliver(chunk: Uint8Array<ArrayBuffer>): void {
    if (this.isOver || this.isStuck) return;
    const passed = chunk.subarray(0, this.#leftBytes);
    this.#leftBytes -= passed.length;
    if (passed.length > 0) this.body.enqueue(passed);
    if (this.#leftBytes > 0 || !this.#fate) return;
    this.#network.count(`body ${this.#fate}`);
    if (this.#fate === "stalled") this.isStuck = true;
    else if (this.#fate === "cut") this.cut();
    else this.#close();
  }

  #close(): void {
    if (!this.isStuck && this.#leave()) this.body.close();
  }

  /** In order, each after the one before, as TCP does. */
  #later(run: () => void): void {
    const { schedule, random } = this.#network;
    this.#readyMs = Math.max(this.#readyMs, schedule.nowMs + (random.chance(0.6) ? 0 : random.int(1, 120)));
    schedule.after(this.actor, this.#readyMs - schedule.nowMs, run, true);
  }

  #leave(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.#network.connections.delete(this);
    this.#onGone();
    return true;
  }
}

/** Everything between a device and the server. */
export class SimNetwork {
  faults: NetworkFaults = NO_FAULTS;
  readonly connections = new Set<Connection>();
  /** Connections that the browser keeps open though they are dead: each takes one request, which hangs until it is given up. */
  deadConnections = 0;
  /** Told of each login that the server refuses, and when the request was made, true time, ms. */
  onRefusedLogin: (actor: string, askedAtMs: number) => void = () => undefined;

  constructor(
    readonly schedule: Schedule,
    readonly random: Random,
    readonly server: SimServer,
    readonly count: (fault: string) => void,
    private readonly trace: (line: string) => void,
  ) {}

  /** The `fetch` of one worker. */
  fetchFor(actor: string): (url: string, init?: RequestInit) => Promise<Response> {
    return (url, init = {}) =>
      new Promise((resolve, reject) => {
        const signal = init.signal ?? undefined;
        const abort = (): void => reject(signal?.reason as Error);
        if (signal?.aborted) return abort();
        signal?.addEventListener("abort", abort);
        const { pathname, search } = new URL(url);
        const askedAtMs = this.schedule.nowMs;
        const query = new URLSearchParams(search);
        const authorization =
          (init.headers as Record<string, string> | undefined)?.["Authorization"] ?? authorizationIn(query);
        this.trace(`${actor} asks ${pathname}${search}${authorization ? " with credentials" : ""}`);
        const latencyMs = this.random.chance(0.3) ? 0 : this.random.int(1, 150);
        const arrive = (): void => {
          const { body } = init;
          const asked: Asked = { actor, path: pathname, query, authorization, askedAtMs, signal };
          if (init.method === "POST" && typeof body === "string") asked.body = body;
          const answer: Resolve = (given) => resolve(given as unknown as Response);
          if (!signal?.aborted) this.#arrive(asked, answer, reject);
        };
        this.schedule.after(actor, latencyMs, arrive, true);
      });
  }

  /** The WebSockets of one worker: frames in place of bytes, the same server and the same faults behind them. */
  webSocketFor(actor: string): ConnectWebSocket {
    return (url, events) => {
      const { pathname, searchParams } = new URL(url);
      const authorization = authorizationIn(searchParams);
      const askedAtMs = this.schedule.nowMs;
      this.trace(`${actor} connects ${pathname}${authorization ? " with credentials" : ""}`);
      const aborter = new AbortController();
      const close = (): void => {
        if (!aborter.signal.aborted) this.schedule.enqueue(actor, () => events.closed());
      };
      this.schedule.after(actor, this.random.int(0, 150), () => {
        const { faults, server } = this;
        if (aborter.signal.aborted || faults.blackHole) return;
        const topics = decodeURIComponent(pathname.split("/")[1] ?? "").split(",");
        const isRefused = faults.offline || server.isDown || faults.proxyStatus !== undefined || faults.impostor;
        if (isRefused || faults.buffered.has("ws")) return close();
        const refusal = server.admit(topics, true, authorization);
        if (refusal?.status === 401) this.onRefusedLogin(actor, askedAtMs);
        if (refusal) return close();
        this.count("stream by ws");
        const connection = this.#subscribe(actor, "json", topics, aborter.signal, false);
        void this.#passFrames(connection.body, events.data, close);
      });
      return { close: () => aborter.abort() };
    };
  }

  /** Each line is a frame; keepalives are pings, which scripts do not see (docs/protocol.md §8). */
  async #passFrames(body: SimBody, data: (text: string) => void, closed: () => void): Promise<void> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const chunk = await reader.read().catch(() => undefined);
      if (!chunk?.value) return closed();
      const lines = (rest + decoder.decode(chunk.value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) data(`${line}\n`);
    }
  }

  /** A worker died: its connections end, and the server notices. */
  forget(actor: string): void {
    this.each((connection) => {
      if (connection.actor === actor) connection.cut();
    });
  }

  /** All connections that are open now. */
  each(act: (connection: Connection) => void): void {
    for (const connection of [...this.connections]) act(connection);
  }

  #arrive(asked: Asked, resolve: Resolve, reject: (reason: unknown) => void): void {
    const { faults, server } = this;
    const { actor, path, query, authorization, askedAtMs, signal } = asked;
    if (this.deadConnections > 0) {
      this.deadConnections -= 1;
      return this.count("request on a dead connection");
    }
    if (faults.blackHole) return this.count("request swallowed");
    if (faults.offline || server.isDown) {
      this.count("request refused");
      return reject(new TypeError("Failed to fetch"));
    }
    if (faults.proxyStatus !== undefined) {
      this.count("page of a proxy");
      const headers = { "Content-Type": "text/html" };
      return resolve(new SimAnswer("<html><body>proxy</body></html>", { status: faults.proxyStatus, headers }));
    }
    if (faults.impostor) {
      this.count("answer of something else");
      const { body, type } = faults.impostor;
      return resolve(new SimAnswer(body, { headers: { ...CORS, "Content-Type": type } }));
    }
    const refused = this.#refused(asked);
    if (refused !== undefined) {
      this.count("everything refused");
      server.bans.note(this.schedule.nowMs, refused);
      const status = Math.floor(refused / 100);
      return resolve(answered({ code: refused, http: status, error: "refused" }, status));
    }
    if (asked.body !== undefined) return this.#publish(asked, resolve, reject);
    if (path === "/v1/stats") {
      return resolve(answered({ messages: server.published.size, messages_rate: 0 }));
    }
    if (path === "/v1/health") return resolve(answered({ healthy: true }));
    const [, list = "", action] = path.split("/");
    const topics = decodeURIComponent(list).split(",");
    const isPoll = query.get("poll") === "1";
    const refusal = server.admit(topics, action !== "auth" && !isPoll, authorization);
    if (refusal?.status === 401) this.onRefusedLogin(actor, askedAtMs);
    if (refusal) {
      this.count(`answer ${refusal.status}`);
      const { status, code } = refusal;
      return resolve(answered({ code, http: status, error: "refused" }, status));
    }
    if (action === "auth") return resolve(answered({ success: true }));
    if (action !== "json" && action !== "sse") {
      return resolve(answered({ code: 40401, http: 404, error: "not found" }, 404));
    }
    if (isPoll) return this.#poll(actor, action, topics, query, signal, resolve);
    if (faults.buffered.has(action)) return this.count("stream held back");
    this.count(`stream by ${action}`);
    this.#stream(actor, action, topics, query, signal, resolve);
  }

  /** The code with which it refuses a request; undefined = it doesn't. */
  #refused({ path, query, body }: Asked): number | undefined {
    const { refusing } = this.faults;
    if (!refusing || path.startsWith("/v1/")) return undefined;
    const isMessage = body !== undefined;
    const isPoll = query.get("poll") === "1";
    const isStream = !isMessage && !isPoll;
    const kinds = { all: true, streams: isStream, polls: isPoll, lists: /,|%2C/.test(path), messages: isMessage };
    return kinds[refusing.what] ? refusing.code : undefined;
  }

  #publish({ actor, body = "", authorization }: Asked, resolve: Resolve, reject: (reason: unknown) => void): void {
    const { topic, message, priority, tags } = JSON.parse(body) as MessageEvent;
    const refusal = this.server.admit([topic], false, authorization) ?? this.server.spend();
    if (refusal) {
      this.count(`answer ${refusal.status}`);
      const { status, code } = refusal;
      return resolve(answered({ code, http: status, error: "refused" }, status));
    }
    const event = this.server.publish(topic, {
      ...(message !== undefined && { message }),
      ...(priority && { priority }),
      ...(tags && { tags }),
    });
    this.schedule.after(actor, this.random.int(0, 80), () => {
      if (!this.random.chance(this.faults.cut)) return resolve(answered(event));
      this.count("answer lost");
      reject(new TypeError("network error"));
    });
  }

  #poll(
    actor: string,
    format: "json" | "sse",
    topics: string[],
    query: URLSearchParams,
    signal: AbortSignal | undefined,
    resolve: Resolve,
  ): void {
    this.server.replay(topics, query.get("since") ?? "all", query.get("scheduled") === "1", (events, isCut) => {
      if (isCut) this.count("replay cut");
      const isFailing = this.random.chance(this.faults.failing);
      const told = isFailing ? events.slice(0, this.random.int(0, events.length)) : events;
      const lines = told.map((event) => this.#encode(format, event));
      const sent = this.faults.traffic ? this.faults.traffic.metered(lines, this.schedule.nowMs) : lines;
      if (sent !== lines) this.count("poll metered");
      if (!sent) {
        this.server.bans.note(this.schedule.nowMs, TRAFFIC_SPENT.code);
        return resolve(answered(TRAFFIC_SPENT, TRAFFIC_SPENT.http));
      }
      const text = sent.join("") + (isFailing ? this.#failure(format) : "");
      const bytes = encoder.encode(text).length;
      let fate = this.#fate();
      let atByte = this.random.int(0, bytes);
      if (fate === "truncated") {
        // A clean end behind a whole line can't be told from the end: proxies that do so are outside the rules.
        while (atByte > 0 && text[atByte - 1] === "\n") atByte -= 1;
        if (atByte === 0) fate = undefined;
      }
      const connection = this.#connect(actor, fate, atByte, signal, () => undefined);
      resolve(this.#response(format, connection, isCut ? TRUNCATED : undefined));
      connection.send(text);
      connection.end();
    });
  }

  #stream(
    actor: string,
    format: "json" | "sse",
    topics: string[],
    query: URLSearchParams,
    signal: AbortSignal | undefined,
    resolve: Resolve,
  ): void {
    const connection = this.#subscribe(actor, format, topics, signal, true);
    const since = query.get("since");
    if (since !== null) {
      this.server.replay(topics, since, query.get("scheduled") === "1", (events) => {
        for (const event of events) if (!connection.isOver) connection.send(this.#encode(format, event));
      });
    }
    resolve(this.#response(format, connection));
  }

  /** Registers for live messages first, then says so (docs/protocol.md §8). */
  #subscribe(
    actor: string,
    format: "json" | "sse",
    topics: string[],
    signal: AbortSignal | undefined,
    keepsAlive: boolean,
  ): Connection {
    const { server, schedule } = this;
    const connection = this.#connect(actor, this.#fate(), this.random.int(0, 4_000), signal, () => {
      server.subscribers.delete(subscriber);
    });
    const send = (event: ProtocolEvent): void => connection.send(this.#encode(format, event));
    const subscriber: Subscriber = { topics, send, cut: () => connection.cut() };
    server.subscribers.add(subscriber);
    const signalOf = (event: "open" | "keepalive"): void => {
      const signal = { id: server.nextId(), time: server.nowS, event, topic: topics.join(",") };
      connection.send(this.#encode(format, signal), () => void server.signalsHeardMs.push(schedule.nowMs));
    };
    // A live message may come before it (docs/protocol.md §8).
    schedule.after("server", this.random.int(0, 40), () => signalOf("open"));
    const keepAlive = (): void => {
      if (connection.isOver) return;
      signalOf("keepalive");
      schedule.after("server", server.manners.keepaliveMs, keepAlive);
    };
    if (keepsAlive) schedule.after("server", server.manners.keepaliveMs, keepAlive);
    const again = (): void => {
      if (connection.isOver) return;
      server.sendAgain(subscriber);
      schedule.after("server", this.random.int(1, 600_000), again);
    };
    if (server.manners.lagMs > 0) schedule.after("server", this.random.int(1, 600_000), again);
    if (this.random.chance(this.faults.failing)) {
      schedule.after("server", this.random.int(0, 60_000), () => {
        if (connection.isOver) return;
        connection.send(this.#failure(format));
        connection.end();
      });
    }
    return connection;
  }

  #failure(format: "json" | "sse"): string {
    this.count("error inside a body");
    const text = JSON.stringify(INTERNAL_ERROR);
    return format === "json" ? `${text}\n` : `data: ${text}\n\n`;
  }

  #connect(actor: string, fate: Fate, atByte: number, signal: AbortSignal | undefined, onGone: () => void): Connection {
    const connection = new Connection(this, actor, fate, atByte, onGone);
    this.connections.add(connection);
    signal?.addEventListener("abort", () => connection.cut(signal.reason));
    return connection;
  }

  #fate(): Fate {
    const { cut, truncated, stalled } = this.faults;
    const drawn = this.random.next();
    if (drawn < cut) return "cut";
    if (drawn < cut + truncated) return "truncated";
    return drawn < cut + truncated + stalled ? "stalled" : undefined;
  }

  #response(format: "json" | "sse", { body }: Connection, more?: Record<string, string>): SimAnswer {
    return new SimAnswer(body, {
      headers: { ...CORS, "Content-Type": `${STREAM_TYPES[format]}; charset=utf-8`, ...more },
    });
  }

  #encode(format: "json" | "sse", event: ProtocolEvent): string {
    const text = format === "json" ? encodeJson(event) : encodeSse(event);
    if (!this.random.chance(this.faults.garbage)) return text;
    this.count("garbage line");
    const line = this.random.pick(GARBAGE);
    return format === "json" ? `${line}\n${text}` : `data: ${line}\n\n${text}`;
  }
}

/** A request, as it was made. */
interface Asked {
  actor: string;
  path: string;
  query: URLSearchParams;
  authorization: string | undefined;
  askedAtMs: number;
  signal: AbortSignal | undefined;
  /** Of a message to publish. */
  body?: string;
}

type Resolve = (answer: SimAnswer) => void;

function answered(value: unknown, status = 200): SimAnswer {
  return new SimAnswer(JSON.stringify(value), { status, headers: { ...CORS, "Content-Type": "application/json" } });
}

function authorizationIn(query: URLSearchParams): string | undefined {
  const auth = query.get("auth");
  return auth === null ? undefined : decodeAuthParameter(auth);
}
