import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Core } from "./core";
import { Refusal } from "./protocol-error";

/** Room for a message in a header, and for a long list of topics in the address. */
export const MAX_HEADER_BYTES = 32 * 1024;
/** The most requests that may wait on a connection while one is answered. Browsers and proxies send one at a time. */
const MAX_WAITING_REQUESTS = 32;
/** How long a connection that can't be used any more may stay open after its last answer. */
const LAST_WORDS_MS = 1_000;
/** The most often that connections are checked for headers and requests that take too long. */
const LOOK_MS = 5_000;

/** Sent with every answer, as some contain strangers' content: stops browsers from guessing another content type. */
export const NOSNIFF = ["X-Content-Type-Options", "nosniff"] as const;

/** Node's error for a request that its parser refuses. */
type ParserError = Error & { code?: string; rawPacket?: unknown };

function whyBroken({ code, rawPacket }: ParserError): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") return new Refusal(40000, "the headers are too long", 431);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Refusal(40000, "the request took too long to come", 408);
  // The parser refuses bytes beyond ASCII in an address. Decoded as Latin-1, each of them is one character.
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString("latin1") : "";
  const [, path, query] = /^[A-Z]+ (\/[^ ?\r\n]*)(\?[^ \r\n]*)? HTTP\//.exec(text) ?? [];
  const isRaw = (part = "") => /[\x80-\xff]/.test(part);
  if (code === "HPE_INVALID_URL" && isRaw(path)) return new Refusal(40401);
  if (code === "HPE_INVALID_URL" && isRaw(query)) return new Refusal(40000, "letters beyond ASCII must be escaped");
  return new Refusal(40000, "this is no HTTP");
}

function refusalHeaders(core: Core, body: string): Record<string, string> {
  return {
    "Content-Type": "application/json",
    [NOSNIFF[0]]: NOSNIFF[1],
    "Access-Control-Allow-Origin": core.settings.allowOrigin,
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  };
}

/** Answers what isn't HTTP, comes too slowly, or has too long headers or a bad address. */
export function answerBrokenRequest(core: Core, error: ParserError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = whyBroken(error);
  const body = refusal.body();
  const head = Object.entries(refusalHeaders(core, body)).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${refusal.http} ${STATUS_CODES[refusal.http] ?? ""}`;
  socket.setTimeout(LAST_WORDS_MS, () => socket.destroy());
  socket.end([status, ...head, "", body].join("\r\n"));
}

/** Answers a request that Node accepts but no route should see. */
function refuse(core: Core, response: ServerResponse, refusal: Refusal): void {
  const body = refusal.body();
  response.writeHead(refusal.http, refusalHeaders(core, body)).end(body);
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers a connection's requests in turn, so a thousand at once don't become a thousand streams. */
function inTurn(handle: Handler): Handler {
  const waiting = new WeakMap<Socket, (() => void)[]>();

  function answer(socket: Socket, request: IncomingMessage, response: ServerResponse): void {
    response.once("close", () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
      if (next) next();
      else waiting.delete(socket);
    });
    // Node assigns the connection to a response once the previous one is sent; before that, it would never see it
    // close.
    if (response.socket) handle(request, response);
    else socket.destroy();
  }

  return (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket);
    if (!queue) {
      waiting.set(socket, []);
      answer(socket, request, response);
    } else if (queue.length < MAX_WAITING_REQUESTS) queue.push(() => answer(socket, request, response));
    else socket.destroy();
  };
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
export function createHttpServer(core: Core, handle: Handler): Server {
  const { headerTime, requestTime, idleTime } = core.settings.limits;
  const headersMs = headerTime * 1000;
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: Math.min(headersMs, requestTime * 1000),
      requestTimeout: requestTime * 1000,
      keepAliveTimeout: idleTime * 1000,
      connectionsCheckingInterval: Math.min(headersMs, LOOK_MS),
      // Otherwise Node would refuse it without an answer.
      requireHostHeader: false,
    },
    inTurn((request, response) => {
      response.setHeader(...NOSNIFF);
      if (request.headers.host === undefined && request.httpVersion === "1.1")
        refuse(core, response, new Refusal(40000, "the header Host is missing"));
      else handle(request, response);
    }),
  );
  // Close connections on which nothing moves in either direction: a body that stalls, an answer that isn't read.
  server.setTimeout(idleTime * 1000);
  // Otherwise Node would refuse it without the server's own headers.
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) =>
    refuse(core, response, new Refusal(40000, "only 100-continue can be expected", 417)),
  );
  countConnections(core, server);
  return server;
}
