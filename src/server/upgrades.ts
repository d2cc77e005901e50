import { STATUS_CODES, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { authenticate, pathOf, readCall, takeRequest, type RequestEntry } from "./call";
import type { Core } from "./core";
import { NOSNIFF } from "./http-server";
import type { GrantedStream, OpenStreams } from "./open-streams";
import { Refusal } from "./protocol-error";
import { topicList, useTopics } from "./topic-names";

/** Longest frame that a client may send, in bytes: clients send only pongs (docs/protocol.md §8). */
const MAX_CLIENT_FRAME_BYTES = 64;
/** All that a client may send between two of our pings, in bytes: some hundred pongs or pings of its own. */
const MAX_CLIENT_BYTES = 16 * 1024;
/** How long after the interval of pings a pong may come (docs/protocol.md §8). */
const PONG_MARGIN_MS = 15_000;

/** A failed upgrade is answered with only a status (docs/protocol.md §10). */
function refuseUpgrade(socket: Duplex, status: number): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    "Content-Length: 0",
    NOSNIFF.join(": "),
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n`, () => socket.destroy());
}

/** Accepts WebSockets of any origin, without subprotocol and compression (docs/protocol.md §8). */
function createWebSocketServer(): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_CLIENT_FRAME_BYTES,
    handleProtocols: () => false,
  });
  server.on("headers", (headers) => headers.push(NOSNIFF.join(": ")));
  server.on("wsClientError", (_error, socket) => refuseUpgrade(socket, 400));
  return server;
}

/** Upgrades a granted request and sends its stream or poll (docs/protocol.md §7 and 8). */
function sendWebSocket(
  core: Core,
  server: WebSocketServer,
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
  granted: GrantedStream,
): void {
  // The socket also closes if the handshake fails.
  socket.once("close", granted.release);
  server.handleUpgrade(request, socket, head, (webSocket) => {
    const pongLimitMs = core.settings.keepalive * 1000 + PONG_MARGIN_MS;
    let heardAtMs = core.clock.nowMs();
    let pings = 0;
    let clientBytes = 0;
    // Only an answer to our ping proves that the client reads: a pong can be sent unasked.
    webSocket.on("pong", (content) => {
      if (content.toString("latin1") === String(pings)) heardAtMs = core.clock.nowMs();
    });
    // Count the bytes before the library handles them.
    socket.prependListener("data", (chunk: Buffer) => {
      clientBytes += chunk.length;
      if (clientBytes > MAX_CLIENT_BYTES) webSocket.terminate();
    });
    // The client sent a frame that is too long, or no valid frame: the library has closed the connection.
    webSocket.on("error", () => webSocket.terminate());
    granted.start(() => ({
      stream: socket,
      write: (frames) => frames.forEach((frame) => webSocket.send(frame)),
      // A poll ends with the connection, without a close frame (docs/protocol.md §4).
      finish: () => socket.end(() => socket.destroy()),
      cut: () => webSocket.terminate(),
      keepAlive() {
        if (core.clock.nowMs() - heardAtMs > pongLimitMs) return webSocket.terminate();
        clientBytes = 0;
        webSocket.ping(String(++pings));
      },
    }));
  });
}

/** The topics part of a WebSocket's path, as written; undefined for any other request. */
function writtenList(request: IncomingMessage): string | undefined {
  return request.method === "GET" ? /^\/([^/]+)\/ws$/.exec(pathOf(request.url))?.[1] : undefined;
}

/** The list of topics in a WebSocket's path. @throws Refusal 40401 if the path can't have topics */
function readList(list: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(list);
  } catch {
    throw new Refusal(40401);
  }
  // The reference has pages below these two (docs/protocol.md §10).
  if (decoded === "docs" || decoded === "static") throw new Refusal(40401);
  return decoded;
}

/** Checks an upgrade in the order of docs/protocol.md §10. */
function grant(core: Core, streams: OpenStreams, request: IncomingMessage, written: string): GrantedStream {
  const call = readCall(core, request);
  call.user = authenticate(core, call);
  const list = readList(written);
  const topics = topicList(list);
  takeRequest(core, call);
  useTopics(core, call, "read", topics);
  return streams.grant(call, list, topics, "ws");
}

/**
 * Hands a request that offers another upgrade (as Java's client does with `h2c` on every request) back to the HTTP
 * server without the offer. Once there is a listener for upgrades, Node no longer handles such requests as usual.
 */
function replayWithoutOffer(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method ?? "GET"} ${request.url ?? "/"} HTTP/1.1`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = "", value = ""] = request.rawHeaders.slice(at, at + 2);
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

/** Answers upgrades on the server: WebSockets to `/<topics>/ws` (docs/protocol.md §2 and 8). */
export function acceptUpgrades(
  server: Server,
  core: Core,
  streams: OpenStreams,
  log: (entry: RequestEntry) => void,
): void {
  const webSockets = createWebSocketServer();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const written = writtenList(request);
    // For other paths and protocols, ignore the upgrade offer, as HTTP allows.
    if (written === undefined || !/^websocket$/i.test(request.headers.upgrade ?? ""))
      return replayWithoutOffer(server, request, socket, head);
    // A connection that breaks shows as `close`; without a listener its error would end the process.
    socket.on("error", () => socket.destroy());
    let status = 101;
    try {
      const granted = grant(core, streams, request, written);
      sendWebSocket(core, webSockets, { request, socket, head }, granted);
    } catch (error) {
      if (!(error instanceof Refusal)) core.report(error);
      status = error instanceof Refusal ? error.http : 500;
      refuseUpgrade(socket, status);
    }
    log({ method: request.method ?? "GET", path: pathOf(request.url), status });
  });
}
