import { ServerResponse, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { partsOf } from "../protocol";
import { pathOf } from "./call";
import type { Core } from "./core";
import { NOSNIFF } from "./http-server";
import type { Subscription } from "./subscription";

/** Longest frame that a client may send, in bytes: clients send only pongs (docs/protocol.md §8). */
const MAX_CLIENT_FRAME_BYTES = 64;
/** All that a client may send between two of our pings, in bytes: hundreds of pongs or of its own pings. */
const MAX_CLIENT_BYTES = 16 * 1024;
/** How long after the ping interval a pong may still come (docs/protocol.md §8). */
const PONG_MARGIN_MS = 15_000;

/** Accepts WebSockets of any origin, without subprotocol and compression (docs/protocol.md §8). */
const webSockets = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_CLIENT_FRAME_BYTES,
  handleProtocols: () => false,
});
webSockets.on("headers", (headers) => headers.push(NOSNIFF.join(": ")));
// A broken handshake is answered with only a status (docs/protocol.md §10).
webSockets.on("wsClientError", (_error, socket) => {
  const lines = ["HTTP/1.1 400 Bad Request", "Connection: close", "Content-Length: 0", NOSNIFF.join(": ")];
  socket.end(`${lines.join("\r\n")}\r\n\r\n`, () => socket.destroy());
});

/** Upgrades an accepted request and sends its stream or poll (docs/protocol.md §7 and 8). */
export function sendWebSocket(core: Core, response: ServerResponse, subscription: Subscription): void {
  const { req: request } = response;
  const { socket } = request;
  response.detachSocket(socket);
  // The socket also closes if the handshake fails.
  socket.once("close", subscription.end);
  webSockets.handleUpgrade(request, socket, offers.get(request) ?? Buffer.alloc(0), (webSocket) => {
    core.host.log({ method: "GET", path: pathOf(request.url), status: 101 });
    const pongLimitMs = core.settings.keepalive * 1000 + PONG_MARGIN_MS;
    let heardAtMs = core.host.clock.nowMs();
    let pings = 0;
    let clientBytes = 0;
    // Only an answer to our ping proves that the client reads: a pong can be sent unasked.
    webSocket.on("pong", (content) => {
      if (content.toString("latin1") === String(pings)) heardAtMs = core.host.clock.nowMs();
    });
    // Count the bytes before the library handles them.
    socket.prependListener("data", (chunk: Buffer) => {
      clientBytes += chunk.length;
      if (clientBytes > MAX_CLIENT_BYTES) webSocket.terminate();
    });
    // The client sent a frame that is too long, or no valid frame: the library has closed the connection.
    webSocket.on("error", () => webSocket.terminate());
    subscription.start({
      stream: socket,
      write: (frames) => frames.forEach((frame) => webSocket.send(frame)),
      // A poll ends with the connection, without a close frame (docs/protocol.md §4).
      finish: () => socket.end(() => socket.destroy()),
      ping() {
        if (core.host.clock.nowMs() - heardAtMs > pongLimitMs) return webSocket.terminate();
        clientBytes = 0;
        webSocket.ping(String(++pings));
      },
    });
  });
}

/**
 * Hands a request that offers another upgrade (as Java's client does with `h2c` on every request) back to the HTTP
 * server without the offer. Once there is a listener for upgrades, Node no longer handles such requests as usual.
 */
function replayWithoutOffer(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method ?? "GET"} ${request.url ?? "/"} HTTP/1.1`];
  for (const [name = "", value = ""] of partsOf(request.rawHeaders, 2)) {
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

/** What came after the head of each request that offers a WebSocket, until it is accepted. */
const offers = new WeakMap<IncomingMessage, Buffer>();

/** Whether a request to `/<topics>/ws` offers a WebSocket. */
export function offersWebSocket(request: IncomingMessage): boolean {
  return offers.has(request);
}

/** Gives requests that offer a WebSocket to the routes, like any other, with a response on their connection. */
export function acceptUpgrades(server: Server): void {
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // For other paths and protocols, ignore the upgrade offer, as HTTP allows.
    const isOffer = request.method === "GET" && /^websocket$/i.test(request.headers.upgrade ?? "");
    if (!isOffer || !/^\/[^/]+\/ws$/.test(pathOf(request.url)))
      return replayWithoutOffer(server, request, socket, head);
    // A connection that breaks shows as `close`; without a listener its error would end the process.
    socket.on("error", () => socket.destroy());
    offers.set(request, head);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.on("finish", () => socket.end(() => socket.destroy()));
    try {
      response.assignSocket(socket);
    } catch {
      // An earlier request on the connection isn't answered yet.
      socket.destroy();
      return;
    }
    server.emit("request", request, response);
  });
}
