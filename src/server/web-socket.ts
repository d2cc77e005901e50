import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Core } from "./core";
import type { GrantedStream } from "./open-streams";

/** Longest frame that a client may send: pongs and nothing else (protocol, section 8). */
const MAX_CLIENT_FRAME_BYTES = 64;
/** Beyond the interval of pings, a pong may take so long (protocol, section 8). */
const PONG_MARGIN_MS = 15_000;

/** Accepts WebSockets of any origin, without subprotocol and compression (protocol, section 8). */
export function createWebSocketServer(): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_CLIENT_FRAME_BYTES,
    handleProtocols: () => false,
  });
}

/** Upgrades a granted request and sends its stream or poll (protocol, sections 7 and 8). */
export function sendWebSocket(
  core: Core,
  server: WebSocketServer,
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
  granted: GrantedStream,
): void {
  // Also when the handshake fails, and the socket with it.
  socket.once("close", granted.release);
  server.handleUpgrade(request, socket, head, (webSocket) => {
    const pongLimitMs = core.settings.keepalive * 1000 + PONG_MARGIN_MS;
    let heardAtMs = core.clock.nowMs();
    webSocket.on("pong", () => (heardAtMs = core.clock.nowMs()));
    // A frame that is too long, or no frame at all: the library has closed the connection.
    webSocket.on("error", () => webSocket.terminate());
    granted.start(() => ({
      stream: socket,
      write: (frames) => frames.forEach((frame) => webSocket.send(frame)),
      bufferedBytes: () => webSocket.bufferedAmount,
      // A poll ends with the connection, without a close frame (protocol, section 4).
      finish: () => socket.end(() => socket.destroy()),
      cut: () => webSocket.terminate(),
      keepAlive() {
        if (core.clock.nowMs() - heardAtMs > pongLimitMs) webSocket.terminate();
        else webSocket.ping();
      },
    }));
  });
}
