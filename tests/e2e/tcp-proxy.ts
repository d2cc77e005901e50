import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** Selects connections for a fault by the first line of their latest request, such as `GET /a/json HTTP/1.1`. */
export type Carrying = RegExp;

/** Live streams of any kind: credentials are the only query in their address. */
export const STREAMS: Carrying = /^GET \/[^/]+\/(?:json|sse|ws)(?:\?auth=\S*)? HTTP/;
/** Streams over HTTP. */
export const HTTP_STREAMS: Carrying = /^GET \/[^/]+\/(?:json|sse)(?:\?auth=\S*)? HTTP/;
/** Polls. */
export const POLLS: Carrying = /[?&]poll=1/;
const ANY: Carrying = /^/;

const REQUEST = /^((?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S+ HTTP\/1\.1)\r\n/;
const UPGRADE = /\r\nupgrade: *websocket\r\n/i;
/** The answer of a proxy that doesn't support WebSockets. */
const NO_UPGRADE = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/** One direction of a connection: bytes, or their end, in order. */
class Flow {
  readonly #to: Socket;
  #held: (Buffer | "end")[] | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(to: Socket) {
    this.#to = to;
  }

  /** Passes something on, `delayMs` from now at the earliest. */
  send(what: Buffer | "end", delayMs: number): void {
    if (this.#held) {
      this.#held.push(what);
      return;
    }
    const due = delayMs > 0 ? new Promise((resolve) => setTimeout(resolve, delayMs)) : undefined;
    this.#sending = this.#sending
      .then(() => due)
      .then(() => {
        if (this.#to.destroyed) return;
        if (what === "end") this.#to.end();
        else this.#to.write(what);
      });
  }

  /** Holds back everything that comes from now on. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const what of held) this.send(what, 0);
  }
}

/** A connection of the browser, and its other half to the server. */
class Link {
  /** First line of the newest request. */
  request = "";
  /** The connection is lost, but neither side knows: data and the end of the connection are dropped. */
  isDead = false;
  readonly up: Flow;
  readonly down: Flow;

  constructor(
    readonly client: Socket,
    readonly upstream: Socket,
  ) {
    this.up = new Flow(upstream);
    this.down = new Flow(client);
  }

  /** Ends the connection for both sides at once, like a router that restarts. */
  cut(): void {
    for (const side of [this.client, this.upstream]) side.resetAndDestroy();
  }
}

/** Faults of all connections, besides those of single connections. */
interface Conditions {
  delayMs?: number;
  stalled?: Carrying;
  buffered?: Carrying;
  cutAfter?: { bytes: number; carrying: Carrying };
  longest?: { ms: number; carrying: Carrying };
  noUpgrades?: true;
  noConnections?: true;
}

/**
 * A proxy between a browser and a topic server that causes network faults when a test asks for them. It passes bytes
 * on; of HTTP it knows only where a request begins.
 */
export class TcpProxy {
  readonly #targetPort: () => number;
  readonly #links = new Set<Link>();
  #server: Server | undefined;
  #port = 0;
  #now: Conditions = {};
  /** Connections accepted since the beginning. */
  accepted = 0;
  /** Bytes that came from the server since the beginning. */
  answered = 0;
  /** First lines of all requests since the beginning. */
  readonly #requests: string[] = [];

  /** @param targetPort port of the server on loopback */
  constructor(targetPort: () => number) {
    this.#targetPort = targetPort;
  }

  async start(): Promise<void> {
    const server = createServer((client) => this.#accept(client));
    await new Promise<void>((resolve, reject) => {
      server.on("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Ends every connection and refuses new ones. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const { client, upstream } of this.#links) for (const side of [client, upstream]) side.destroy();
    await closed;
  }

  /** Host and port. */
  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** How many requests match. */
  asked(carrying: Carrying): number {
    return this.#requests.filter((request) => carrying.test(request)).length;
  }

  /** How many live connections of the browser carry such a request. */
  open(carrying: Carrying = ANY): number {
    return this.#carrying(carrying).filter(({ isDead }) => !isDead).length;
  }

  /** Whether the cut that `cutAfter` asked for has happened. */
  get hasCut(): boolean {
    return this.#now.cutAfter === undefined;
  }

  /** Passes everything from now on, including held data. Lost data stays lost. */
  pass(): void {
    this.#now = {};
    for (const { up, down } of this.#links) for (const flow of [up, down]) flow.release();
  }

  /** Delays every byte by this time, ms, in both directions. */
  delay(ms: number): void {
    this.#now.delayMs = ms;
  }

  /** Cuts connections now. */
  cut(carrying: Carrying = ANY): void {
    for (const link of this.#carrying(carrying)) link.cut();
  }

  /** Passes so many more bytes of answers, then cuts the connection that carries the next byte; once. */
  cutAfter(bytes: number, carrying: Carrying = ANY): void {
    this.#now.cutAfter = { bytes, carrying };
  }

  /** Cuts connections that carry such a request for longer than this, ms. */
  cutLong(ms: number, carrying: Carrying): void {
    this.#now.longest = { ms, carrying };
  }

  /** Holds everything back until `pass`, when it all arrives. */
  stall(carrying: Carrying = ANY): void {
    this.#now.stalled = carrying;
    for (const { up, down } of this.#carrying(carrying)) for (const flow of [up, down]) flow.hold();
  }

  /** Makes connections half-open: they look alive to both sides, but nothing gets through. New connections work. */
  loseSilently(carrying: Carrying = ANY): void {
    for (const link of this.#carrying(carrying)) link.isDead = true;
  }

  /** Holds answers back until they have ended. */
  buffer(carrying: Carrying): void {
    this.#now.buffered = carrying;
  }

  /** Lets no WebSocket through. */
  blockUpgrades(): void {
    this.#now.noUpgrades = true;
  }

  /** Cuts all connections, and every new one at once: there is no network. */
  refuse(): void {
    this.#now.noConnections = true;
    this.cut();
  }

  #carrying(carrying: Carrying): Link[] {
    return [...this.#links].filter(({ client, request }) => !client.destroyed && carrying.test(request));
  }

  #accept(client: Socket): void {
    this.accepted += 1;
    if (this.#now.noConnections) {
      client.destroy();
      return;
    }
    const link = new Link(client, connect(this.#targetPort(), "127.0.0.1"));
    const { upstream, up, down } = link;
    this.#links.add(link);
    // `close` follows, and passes the failure on to the other side.
    for (const side of [client, upstream]) side.on("error", () => side.destroy());
    client.on("data", (chunk) => this.#send(link, chunk));
    upstream.on("data", (chunk) => this.#answer(link, chunk));
    client.on("end", () => !link.isDead && up.send("end", this.#now.delayMs ?? 0));
    upstream.on("end", () => {
      if (link.isDead) return;
      if (this.#now.buffered?.test(link.request)) down.release();
      down.send("end", this.#now.delayMs ?? 0);
    });
    client.on("close", () => {
      if (!link.isDead) upstream.destroy();
      else if (upstream.destroyed) this.#links.delete(link);
      if (!link.isDead) this.#links.delete(link);
    });
    upstream.on("close", (failed) => {
      if (failed && !link.isDead) client.destroy();
      if (client.destroyed) this.#links.delete(link);
    });
  }

  /** From the browser to the server. */
  #send(link: Link, chunk: Buffer): void {
    const text = chunk.toString("latin1");
    const [, request] = REQUEST.exec(text) ?? [];
    const { stalled, buffered, longest, noUpgrades, delayMs = 0 } = this.#now;
    if (request !== undefined) {
      link.request = request;
      this.#requests.push(request);
      if (noUpgrades && UPGRADE.test(text)) {
        link.client.end(NO_UPGRADE);
        return;
      }
      if (longest?.carrying.test(request)) setTimeout(() => link.request === request && link.cut(), longest.ms);
    }
    if (link.isDead) return;
    if (stalled?.test(link.request)) for (const flow of [link.up, link.down]) flow.hold();
    if (buffered?.test(link.request)) link.down.hold();
    link.up.send(chunk, delayMs);
  }

  /** From the server to the browser. */
  #answer(link: Link, chunk: Buffer): void {
    if (link.isDead) return;
    this.answered += chunk.length;
    const { cutAfter, delayMs = 0 } = this.#now;
    if (!cutAfter?.carrying.test(link.request)) link.down.send(chunk, delayMs);
    else if (chunk.length <= cutAfter.bytes) {
      cutAfter.bytes -= chunk.length;
      link.down.send(chunk, delayMs);
    } else {
      delete this.#now.cutAfter;
      // Don't reset the connection, which would also lose the bytes before the cut.
      link.down.send(chunk.subarray(0, cutAfter.bytes), delayMs);
      link.down.send("end", delayMs);
      link.upstream.destroy();
    }
  }
}
