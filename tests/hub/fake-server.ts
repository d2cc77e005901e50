import {
  type Credentials,
  type MessageEvent,
  type ProtocolEvent,
  type SequenceEvent,
  type ServerAddress,
  type StorableEvent,
  authorizationHeader,
  decodeAuthParameter,
  encodeRaw,
  STREAM_TYPES,
} from "../../src/protocol";
import type { ConnectWebSocket } from "../../src/hub/environment";
import { type Bans, cutReplay, sentAgain, TRAFFIC_SPENT, TRUNCATED, type Traffic } from "../newer-server";
import type { VirtualTime } from "./virtual-time";

/** How often due messages are delivered, ms (docs/protocol.md §4). */
const DELIVER_EVERY_MS = 10_000;

/** How often one more new topic is admitted, ms (docs/protocol.md §11). */
const ADMIT_EVERY_MS = 60_000;

interface Row {
  event: StorableEvent;
  delivered: boolean;
  /** Server clock, Unix seconds. */
  acceptedS: number;
}

type Format = "json" | "sse" | "raw" | "ws";

interface OpenStream {
  topics: string[];
  format: Format;
  send(event: ProtocolEvent): void;
  close(): void;
  cut(): void;
  /** Half-open: nothing gets through any more, and neither side notices. */
  stuck: boolean;
  /** A proxy holds the data back. */
  buffered: boolean;
}

export interface SeenRequest {
  url: URL;
  method: string;
  authorization: string | undefined;
  body: string | undefined;
  redirect?: RequestInit["redirect"];
  cache?: RequestInit["cache"];
  headers?: Headers;
}

/** Answers a request in place of the server; `undefined` = the server answers. */
export type Intercept = (request: SeenRequest) => Response | Promise<Response> | "network-error" | "hang" | undefined;

const CORS = { "Access-Control-Allow-Origin": "*" };

/** An error answer as the protocol writes it (docs/protocol.md §10). */
export function errorAnswer(status: number, code: number, error = "error"): Response {
  return Response.json({ code, http: status, error }, { status, headers: CORS });
}

/** Whether a server doesn't ration requests to this (docs/protocol.md §2). */
export function isFree({ pathname }: URL): boolean {
  return pathname.endsWith("/v1/health") || pathname.endsWith("/v1/stats");
}

/** A poll's answer with any body. */
export function pollAnswer(body: BodyInit): Response {
  return new Response(body, { headers: { ...CORS, "Content-Type": "application/x-ndjson; charset=utf-8" } });
}

/** An HTML page of a proxy. */
export function htmlAnswer(status: number): Response {
  return new Response("<html><body>nginx</body></html>", { status, headers: { "Content-Type": "text/html" } });
}

/** Address of the app, the base from which browsers resolve an address without a host, such as "https:/a". */
const APP_URL = "https://app.example/";

/** A topic server in virtual time that follows the rules of docs/protocol.md §4, 7, 8 and 9. */
export class FakeServer {
  readonly address = "https://topics.example" as ServerAddress;
  readonly requests: SeenRequest[] = [];
  readonly streams = new Set<OpenStream>();
  /** Server clock minus device clock, seconds. */
  skewS = 0;
  retentionS = 43_200;
  /** How many messages were published in all, by anyone; undefined = `/v1/stats` is not there. */
  published: number | undefined = 0;
  keepaliveMs = 45_000;
  /** Refuses all connections. */
  down = false;
  /**
   * Connections that a browser keeps open although they are dead: a request takes one of them before it opens a new
   * one, and hangs until it is given up, which closes the connection.
   */
  deadConnections = 0;
  /** Formats whose streams a proxy holds back until they end, so that polls still come through. */
  buffers = new Set<Format>();
  /** A proxy refuses upgrades to WebSockets. */
  blocksUpgrades = false;
  intercept: Intercept | undefined;
  /** Errors are counted here, and banned addresses get nothing. */
  bans: Bans | undefined;
  /** Polls are answered by a replica that is this far behind, seconds. */
  lagS = 0;
  /** It replays from the time of a message, not from its place in the order of acceptance. */
  replaysByTime = false;
  /** Polls by HTTP take from this. */
  traffic: Traffic | undefined;
  /** A replay is cut at so many bytes a topic. */
  replayBytes = Infinity;
  /** Whether a page may read the header that says so. */
  tellsCuts = false;
  /**
   * Sends the messages of one second in reverse order: an answer for several topics is ordered only by time
   * (docs/protocol.md §4).
   */
  scramblesSeconds = false;
  /** Requests whose answers never arrive. */
  losesAnswer: ((request: SeenRequest) => boolean) | undefined;
  /** Who may read a topic; topics without an entry are open. */
  readonly readers = new Map<string, Credentials[]>();
  readonly users: Credentials[] = [];
  /** How many new topics it admits, one more a minute; undefined = any number (docs/protocol.md §11). */
  admits: number | undefined;
  /** It lets a list that it refuses have none of the topics that it would admit. */
  admitsListsWhole = false;
  /** Topics that it needn't admit any more, while `admits` is set. */
  readonly existing = new Set<string>();
  /** Topics that it refuses, with the code of its error. */
  readonly refuses = new Map<string, number>();
  /** It gives tokens for passwords. */
  issuesTokens = false;
  /** When each of its tokens ends, server clock, Unix seconds; an ended one is removed by the test. */
  readonly expiries = new Map<string, number>();
  /** The topics that the account lists. */
  listed: { base_url: string; topic: string; display_name?: string | null }[] = [];
  /** How many clears it takes in a day, and how many are left; undefined = any number, and it doesn't say. */
  day: { limit: number; left: number } | undefined;
  /** Topics that the account has reserved. */
  reserved: string[] = [];
  /** What ids begin with: two characters, by which those of two servers differ. */
  idPrefix = "id";
  readonly #time: VirtualTime;
  #rows: Row[] = [];
  #ids = 0;

  constructor(time: VirtualTime) {
    this.#time = time;
    this.#repeat(
      () => this.#deliverDue(),
      () => DELIVER_EVERY_MS,
    );
    this.#repeat(
      () => {
        if (this.admits !== undefined) this.admits += 1;
      },
      () => ADMIT_EVERY_MS,
    );
    this.#repeat(
      () => this.#keepAlive(),
      () => this.keepaliveMs,
    );
  }

  get nowS(): number {
    return Math.floor(this.#time.now() / 1_000) + this.skewS;
  }

  /** Requests whose path ends so. */
  requestsTo(ending: string): SeenRequest[] {
    return this.requests.filter((request) => request.url.pathname.endsWith(ending));
  }

  /** Requests that the server rations. */
  get rationed(): SeenRequest[] {
    return this.requests.filter(({ url }) => !isFree(url));
  }

  /** Requests that it doesn't ration. */
  get free(): SeenRequest[] {
    return this.requests.filter(({ url }) => isFree(url));
  }

  publish(
    topic: string,
    message: string,
    fields: Partial<MessageEvent> & { delayS?: number; uncached?: true } = {},
  ): MessageEvent {
    const { delayS = 0, uncached, ...rest } = fields;
    const time = this.nowS + delayS;
    const event: MessageEvent = {
      id: this.nextId(),
      time,
      expires: time + this.retentionS,
      event: "message",
      topic,
      message,
      ...rest,
    };
    if (uncached) delete event.expires;
    else if (this.retentionS > 0) this.#rows.push({ event, delivered: delayS === 0, acceptedS: this.nowS });
    if (delayS === 0) this.broadcast(event);
    if (this.published !== undefined) this.published += 1;
    return event;
  }

  /** Deletes or clears a sequence; `isLive` = open streams bring the event too. */
  control(kind: "delete" | "clear", topic: string, sequence: string, isLive = true): SequenceEvent {
    const time = this.nowS;
    const event: SequenceEvent = {
      id: this.nextId(),
      time,
      expires: time + this.retentionS,
      event: `message_${kind}`,
      topic,
      sequence_id: sequence,
    };
    this.#rows.push({ event, delivered: true, acceptedS: this.nowS });
    if (isLive) this.broadcast(event);
    return event;
  }

  /** Sends only to open streams; nothing is stored. */
  broadcast(event: ProtocolEvent): void {
    for (const stream of this.streams) if (stream.topics.includes(event.topic)) stream.send(event);
  }

  /** Sends again, to all open streams, what they had since a time, server clock, Unix seconds. */
  sendAgain(sinceS: number): void {
    const events = this.#rows.filter((row) => row.delivered && row.acceptedS >= sinceS).map(({ event }) => event);
    for (const event of sentAgain(events)) this.broadcast(event);
  }

  /** Sends a text unchanged to all open streams. */
  sendRaw(text: string): void {
    for (const stream of this.streams) stream.send(text as unknown as ProtocolEvent);
  }

  /** Loses all cached messages. */
  forget(isLost: (event: StorableEvent) => boolean = () => true): void {
    this.#rows = this.#rows.filter((row) => !isLost(row.event));
  }

  /** Has a message of another server in its cache, as a copy of that server has. */
  adopt(event: MessageEvent): void {
    this.#rows.push({ event, delivered: true, acceptedS: this.nowS });
  }

  cancel(id: string): void {
    this.#rows = this.#rows.filter((row) => row.event.id !== id);
  }

  cut(): void {
    for (const stream of [...this.streams]) stream.cut();
  }

  close(): void {
    for (const stream of [...this.streams]) stream.close();
  }

  freeze(): void {
    for (const stream of this.streams) stream.stuck = true;
  }

  nextId(): string {
    return `${this.idPrefix}${String(++this.#ids).padStart(10, "0")}`;
  }

  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const request: SeenRequest = {
      url: new URL(url, APP_URL),
      method: init.method ?? "GET",
      authorization: new Headers(init.headers).get("Authorization") ?? undefined,
      body: typeof init.body === "string" ? init.body : undefined,
      ...(init.redirect && { redirect: init.redirect }),
      ...(init.cache && { cache: init.cache }),
      headers: new Headers(init.headers),
    };
    this.requests.push(request);
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    const isOnDeadConnection = this.deadConnections > 0;
    if (isOnDeadConnection) this.deadConnections -= 1;
    const isBanned = this.bans?.isBanned(this.#time.now());
    const answer =
      this.intercept?.(request) ?? (this.down || isBanned ? "network-error" : isOnDeadConnection ? "hang" : undefined);
    if (answer === "network-error") throw new TypeError("Failed to fetch");
    if (answer === "hang") return this.#hang(signal);
    if (answer instanceof Promise) return answer;
    const own = answer ?? (await this.#answer(request, signal));
    if (own.status >= 400 && own.status < 500) this.bans?.note(this.#time.now());
    if (this.losesAnswer?.(request)) throw new TypeError("Failed to fetch");
    // As in a browser, aborting the request ends the body of its answer.
    if (!answer?.body || !signal) return own;
    return new Response(answer.body.pipeThrough(new TransformStream(), { signal }), answer);
  };

  readonly connectWebSocket: ConnectWebSocket = (url, events) => {
    const request: SeenRequest = { url: new URL(url), method: "GET", authorization: undefined, body: undefined };
    this.requests.push(request);
    let stream: OpenStream | undefined;
    let isClosed = false;
    const close = (): void => {
      if (isClosed) return;
      isClosed = true;
      if (stream) this.streams.delete(stream);
      events.closed();
    };
    queueMicrotask(() => {
      if (isClosed) return;
      const answer = this.intercept?.(request) ?? (this.down ? "network-error" : undefined);
      if (answer === "hang" || (!answer && this.buffers.has("ws"))) return;
      const topics = (request.url.pathname.split("/")[1] ?? "").split(",");
      if (answer || this.blocksUpgrades || this.#refusal(request, topics)) return close();
      const own: OpenStream = {
        topics,
        format: "ws",
        stuck: false,
        buffered: false,
        send: (event) => {
          const text = typeof event === "string" ? (event as string) : `${JSON.stringify(event)}\n`;
          if (!own.stuck) events.data(text);
        },
        close,
        cut: close,
      };
      stream = own;
      this.streams.add(own);
      own.send({ id: this.nextId(), time: this.nowS, event: "open", topic: topics.join(",") });
      const since = request.url.searchParams.get("since") ?? "none";
      for (const event of this.#select(topics, since, false)) own.send(event);
    });
    return { close };
  };

  #answer(request: SeenRequest, signal: AbortSignal | undefined): Response | Promise<Response> {
    const path = request.url.pathname.slice(1);
    if (path === "v1/stats" && this.published !== undefined) {
      return Response.json({ messages: this.published, messages_rate: 0 }, { headers: CORS });
    }
    if (path === "v1/health") return Response.json({ healthy: true }, { headers: CORS });
    const [list = "", action] = path.split("/");
    const topics = list.split(",");
    const refusal = this.#refusal(request, request.method === "POST" ? [] : topics);
    if (refusal) return refusal;
    if (path === "v1/account/token") return this.#token(request);
    if (path === "v1/account") return this.#account(request);
    if (request.method === "POST") return this.#publishJson(request);
    if (request.method === "PUT" && path.endsWith("/clear")) return this.#clear(list, action);
    if (action === "auth") return Response.json({ success: true }, { headers: CORS });
    if (action !== "json" && action !== "sse" && action !== "raw") return errorAnswer(404, 40401, "page not found");
    return this.#subscribe(topics, action, request.url.searchParams, signal);
  }

  #refusal(request: SeenRequest, topics: string[]): Response | undefined {
    const given = request.url.searchParams.get("auth");
    const authorization = (given && decodeAuthParameter(given)) ?? request.authorization;
    if (authorization && !this.users.some((user) => authorizationHeader(user) === authorization)) {
      return errorAnswer(401, 40101, "unauthorized");
    }
    const notAdmitted = this.#admit(topics);
    if (notAdmitted) return notAdmitted;
    const code = topics.map((topic) => this.refuses.get(topic)).find((one) => one !== undefined);
    if (code !== undefined) return errorAnswer(Math.floor(code / 100), code);
    const mayRead = topics.every((topic) => {
      const readers = this.readers.get(topic);
      return !readers || readers.some((reader) => authorizationHeader(reader) === authorization);
    });
    return mayRead ? undefined : errorAnswer(403, 40301, "forbidden");
  }

  /** Makes topics exist, as far as it admits new ones. */
  #admit(topics: string[]): Response | undefined {
    if (this.admits === undefined) return undefined;
    const added = new Set(topics.filter((topic) => !this.existing.has(topic)));
    const isRefused = added.size > this.admits;
    if (isRefused && this.admitsListsWhole) return errorAnswer(429, 42911);
    for (const topic of [...added].slice(0, Math.floor(this.admits))) {
      this.existing.add(topic);
      this.admits -= 1;
    }
    return isRefused ? errorAnswer(429, 42911) : undefined;
  }

  /** Issues, extends and removes tokens (docs/protocol.md §2). */
  #token({ method, body, authorization }: SeenRequest): Response {
    const user = this.users.find((one) => authorizationHeader(one) === authorization);
    if (!this.issuesTokens || !user) return errorAnswer(404, 40401, "page not found");
    const { expires = this.nowS + 259_200 } = JSON.parse(body ?? "{}") as { expires?: number };
    if (method === "DELETE") {
      this.users.splice(this.users.indexOf(user), 1);
      return Response.json({ success: true }, { headers: CORS });
    }
    if (method === "PATCH" && user.kind === "token") {
      this.expiries.set(user.token, expires);
      return Response.json({ token: user.token, expires }, { headers: CORS });
    }
    const token = `tk_${String(this.expiries.size + 1).padStart(29, "0")}`;
    const issued: Credentials = { kind: "token", token };
    this.users.push(issued);
    this.expiries.set(token, expires);
    for (const readers of this.readers.values()) if (readers.includes(user)) readers.push(issued);
    return Response.json({ token, expires }, { headers: CORS });
  }

  #account({ authorization }: SeenRequest): Response {
    const user = this.users.find((one) => authorizationHeader(one) === authorization);
    const { limit: messages, left: messages_remaining } = this.day ?? {};
    const limits = { messages_expiry_duration: this.retentionS, messages };
    const stats = { messages_remaining };
    const tokens = [...this.expiries].map(([token, expires]) => ({ token, expires }));
    const reservations = this.reserved.map((topic) => ({ topic, everyone: "deny-all" }));
    const own = user && { tokens, subscriptions: this.listed, reservations };
    return Response.json({ username: user ? "ada" : "*", ...own, limits, stats }, { headers: CORS });
  }

  #clear(topic: string, sequence = ""): Response {
    if (this.day) {
      if (this.day.left < 1) return errorAnswer(429, 42908);
      this.day.left -= 1;
    }
    return Response.json(this.control("clear", topic, sequence), { headers: CORS });
  }

  #publishJson(request: SeenRequest): Response {
    const given = JSON.parse(request.body ?? "{}") as { topic: string; message: string; delay?: string };
    const { topic, message, delay, ...rest } = given;
    const later = delay !== undefined && { delayS: Number(delay) - this.nowS };
    return Response.json(this.publish(topic, message, { ...rest, ...later }), { headers: CORS });
  }

  #subscribe(
    topics: string[],
    format: "json" | "sse" | "raw",
    query: URLSearchParams,
    signal: AbortSignal | undefined,
  ): Response | Promise<Response> {
    const isPoll = query.get("poll") === "1";
    const since = query.get("since") ?? (isPoll ? "all" : "none");
    const whole = this.#select(topics, since, query.get("scheduled") === "1", isPoll ? this.lagS : 0);
    const replay = cutReplay(whole, this.replayBytes);
    const isTold = this.tellsCuts && replay.length < whole.length;
    const headers = {
      ...CORS,
      "Content-Type": `${STREAM_TYPES[format]}; charset=utf-8`,
      ...(isTold && TRUNCATED),
    };
    const encoder = new TextEncoder();
    if (isPoll) {
      const lines = replay.map((event) => frame(format, event));
      const sent = this.traffic ? this.traffic.metered(lines, this.#time.now()) : lines;
      if (!sent) return errorAnswer(TRAFFIC_SPENT.http, TRAFFIC_SPENT.code, TRAFFIC_SPENT.error);
      return new Response(sent.join(""), { headers });
    }
    if (this.buffers.has(format)) return this.#hang(signal);
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (given) => void (controller = given),
      cancel: () => void this.streams.delete(stream),
    });
    const leave = (): boolean => this.streams.delete(stream);
    const stream: OpenStream = {
      topics,
      format,
      stuck: false,
      buffered: false,
      send: (event) => {
        if (!stream.stuck) controller.enqueue(encoder.encode(typeof event === "string" ? event : frame(format, event)));
      },
      close: () => leave() && controller.close(),
      cut: () => leave() && controller.error(new TypeError("network error")),
    };
    this.streams.add(stream);
    signal?.addEventListener("abort", () => leave() && controller.error(signal.reason));
    stream.send({ id: this.nextId(), time: this.nowS, event: "open", topic: topics.join(",") });
    for (const event of replay) stream.send(event);
    return new Response(body, { headers });
  }

  #select(topics: string[], since: string, scheduled: boolean, lagS = 0): StorableEvent[] {
    this.#rows = this.#rows.filter((row) => (row.event.expires ?? 0) > this.nowS - 60);
    // Without a lag the clock does not count, as it may be set back.
    const seen = lagS === 0 ? this.#rows : this.#rows.filter(({ acceptedS }) => acceptedS <= this.nowS - lagS);
    const marker = seen.findIndex((row) => row.event.id === since);
    const fromS = this.replaysByTime ? seen[marker]?.event.time : undefined;
    const chosen = seen.filter((row, index) => {
      if (!topics.includes(row.event.topic) || (!row.delivered && !scheduled) || since === "none") return false;
      if (/^\d+$/.test(since) && since.length !== 12) return row.event.time >= Number(since);
      if (fromS !== undefined) return row.event.time >= fromS || !row.delivered;
      return marker === -1 || index > marker || !row.delivered;
    });
    if (topics.length > 1 && this.scramblesSeconds) chosen.reverse();
    return chosen.map((row) => row.event).sort((a, b) => a.time - b.time);
  }

  #hang(signal: AbortSignal | undefined): Promise<Response> {
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason as Error));
    });
  }

  #deliverDue(): void {
    for (const row of this.#rows) {
      if (row.delivered || row.event.time > this.nowS) continue;
      row.delivered = true;
      this.broadcast(row.event);
    }
  }

  #keepAlive(): void {
    for (const stream of this.streams) {
      // Over a WebSocket the keepalive is a ping, which no script sees.
      if (stream.format === "ws") continue;
      stream.send({ id: this.nextId(), time: this.nowS, event: "keepalive", topic: stream.topics.join(",") });
    }
  }

  #repeat(run: () => void, everyMs: () => number): void {
    this.#time.setTimer(() => {
      run();
      this.#repeat(run, everyMs);
    }, everyMs());
  }
}

function frame(format: "json" | "sse" | "raw", event: ProtocolEvent): string {
  if (format === "raw") return encodeRaw(event);
  if (format === "json") return `${JSON.stringify(event)}\n`;
  const isMessage = event.event === "message" || event.event === "message_delete" || event.event === "message_clear";
  return `${isMessage ? "" : `event: ${event.event}\n`}data: ${JSON.stringify(event)}\n\n`;
}
