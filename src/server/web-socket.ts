import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Core } from "./core";
import { NOSNIFF } from "./http-server";
import type { GrantedStream } from "./open-streams";

/** Longest frame that a client may send, in bytes: clients send only pongs (docs/protocol.md §8). */
const MAX_CLIENT_FRAME_BYTES = 64;
/** All that a client may send between two of our pings, in bytes: some hundred pongs or pings of its own. */
const MAX_CLIENT_BYTES = 16 * 1024;
/** How long after the interval of pings a pong may come (docs/protocol.md §8). */
const PONG_MARGIN_MS = 15_000;

/** A failed upgrade is answered with only a status (docs/protocol.md §10). */
export function refuseUpgrade(socket: Duplex, status: number): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    "Content-Length: 0",
    NOSNIFF.join(": "),
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n`, () => socket.destroy());
}

/** Accepts WebSockets of any origin, without subprotocol and compression (docs/protocol.md §8). */
export function createWebSocketServer(): WebSocketServer {
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
export function sendWebSocket(
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
