import { createServer, STATUS_CODES, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Core } from "./core";
import { Refusal } from "./protocol-error";

/** Room for a message in a header, and for a long list of topics in the address. */
export const MAX_HEADER_BYTES = 32 * 1024;
/** How long a connection that can't be used any more may stay open after its last answer. */
const LAST_WORDS_MS = 1_000;
/** How often, at most, connections are checked for headers and requests that take too long. */
const LOOK_MS = 5_000;

/** Sent with every answer, as some contain strangers' content: stops browsers from guessing another content type. */
export const NOSNIFF = ["X-Content-Type-Options", "nosniff"] as const;

/** Node's error for a request that its parser refuses. */
type ParserError = Error & { code?: string };
const BROKEN: Readonly<Record<string, [http: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "the headers are too long"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request took too long to come"],
  HPE_INVALID_URL: [400, "letters beyond ASCII must be escaped in an address"],
};

/** Answers what isn't HTTP, comes too slowly, or has overlong headers or a bad address. */
export function answerBrokenRequest(core: Core, error: ParserError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [http, detail] = BROKEN[error.code ?? ""] ?? [400, "this is no HTTP"];
  const body = new Refusal(40000, detail, http).body();
  const head = [
    `HTTP/1.1 ${http} ${STATUS_CODES[http] ?? ""}`,
    "Content-Type: application/json",
    NOSNIFF.join(": "),
    `Access-Control-Allow-Origin: ${core.settings.allowOrigin}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.setTimeout(LAST_WORDS_MS, () => socket.destroy());
  socket.end([...head, "", body].join("\r\n"));
}

/** Limits the connections of each visitor. Behind a proxy, all connections are the proxy's. */
function countConnections(core: Core, server: Server): void {
  const counted = new WeakSet<Socket>();
  server.on("connection", (socket: Socket) => {
    // A request that offered an upgrade comes here a second time.
    if (core.settings.behindProxy || counted.has(socket)) return;
    counted.add(socket);
    // A connection that is already closed has no address.
    const visitor = socket.remoteAddress === undefined ? undefined : core.visitors.at(socket.remoteAddress);
    if (!visitor || visitor.connections >= core.settings.limits.connections) {
      socket.destroy();
      return;
    }
    visitor.connections++;
    socket.once("close", () => visitor.connections--);
  });
}

/** The HTTP server below the routes: everything that applies to all requests. */
export function createHttpServer(core: Core, handle: RequestListener): Server {
  const { headerTime, requestTime, idleTime } = core.settings.limits;
  const headersMs = headerTime * 1000;
  const busy = new WeakSet<Socket>();
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: Math.min(headersMs, requestTime * 1000),
      requestTimeout: requestTime * 1000,
      keepAliveTimeout: idleTime * 1000,
      connectionsCheckingInterval: Math.min(headersMs, LOOK_MS),
      requireHostHeader: false,
    },
    (request, response) => {
      const { socket } = request;
      // Requests that don't wait for answers: no browser sends them, and each could be a stream.
      if (busy.has(socket)) return void socket.destroy();
      busy.add(socket);
      response.once("close", () => busy.delete(socket));
      response.setHeader(...NOSNIFF);
      handle(request, response);
    },
  );
  // Close connections on which nothing moves in either direction: a body that stalls, an answer that isn't read.
  server.setTimeout(idleTime * 1000);
  // An unknown expectation is ignored.
  server.on("checkExpectation", (...asked) => server.emit("request", ...asked));
  countConnections(core, server);
  return server;
}
