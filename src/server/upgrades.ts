import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { authenticate, readCall, takeRequest } from "./call";
import type { Core } from "./core";
import type { GrantedStream, OpenStreams } from "./open-streams";
import { Refusal } from "./protocol-error";
import { pathOf, type RequestEntry } from "./request-log";
import { topicList, useTopics } from "./topic-names";
import { createWebSocketServer, refuseUpgrade, sendWebSocket } from "./web-socket";

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
