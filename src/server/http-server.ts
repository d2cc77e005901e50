import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Core } from "./core";
import { Refusal } from "./protocol-error";

/** Room for a message in a header, and for a long list of topics in the address. */
export const MAX_HEADER_BYTES = 32 * 1024;
/** Requests that may wait on one connection behind the one being answered. Browsers and proxies send one at a time. */
const MAX_WAITING_REQUESTS = 32;
/** After its last answer a connection that can't be used may take so long to go. */
const LAST_WORDS_MS = 1_000;
/** How often connections are looked at for headers and requests that take too long, at most. */
const LOOK_MS = 5_000;

/** Goes with every answer, as some hold what strangers wrote: a browser takes it for what it says it is. */
export const NOSNIFF = ["X-Content-Type-Options", "nosniff"] as const;

/** What Node says of a request that its parser refuses. */
type ParserError = Error & { code?: string; rawPacket?: unknown };

function whyBroken({ code, rawPacket }: ParserError): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") return new Refusal(40000, "the headers are too long", 431);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Refusal(40000, "the request took too long to come", 408);
  // The parser takes no bytes beyond ASCII in an address. Latin-1 shows each of them as one character.
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

/** Answers what is no HTTP at all, comes too slowly, has headers beyond all bounds, or letters in the address that it can't have. */
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

/** Answers a request that Node takes but no route should see. */
function refuse(core: Core, response: ServerResponse, refusal: Refusal): void {
  const body = refusal.body();
  response.writeHead(refusal.http, refusalHeaders(core, body)).end(body);
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers the requests of a connection one after the other. Those that came before their turn cost nothing but their place:
 * a thousand sent at once are no thousand streams and no thousand answers in one go.
 */
function inTurn(handle: Handler): Handler {
  const waiting = new WeakMap<Socket, (() => void)[]>();

  function answer(socket: Socket, request: IncomingMessage, response: ServerResponse): void {
    response.once("close", () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
      if (next) next();
      else waiting.delete(socket);
    });
    // Node gives a response its connection when the one before has gone out; without one it would never be told of the end.
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

/** Holds the connections of each visitor to the limit. Behind a proxy all are the proxy's. */
function countConnections(core: Core, server: Server): void {
  const counted = new WeakSet<Socket>();
  server.on("connection", (socket: Socket) => {
    // One that offered an upgrade comes a second time.
    if (core.settings.behindProxy || counted.has(socket)) return;
    counted.add(socket);
    // One that has gone already has no address.
    const visitor = socket.remoteAddress === undefined ? undefined : core.visitors.at(socket.remoteAddress);
    if (!visitor || visitor.connections >= core.settings.limits.connections) {
      socket.destroy();
      return;
    }
    visitor.connections++;
    socket.once("close", () => visitor.connections--);
  });
}

/** The HTTP server below the routes: what holds for every request, whatever it asks for. */
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
      // Node would refuse it without a word.
      requireHostHeader: false,
    },
    inTurn((request, response) => {
      response.setHeader(...NOSNIFF);
      if (request.headers.host === undefined && request.httpVersion === "1.1")
        refuse(core, response, new Refusal(40000, "the header Host is missing"));
      else handle(request, response);
    }),
  );
  // A connection on which nothing moves, in either direction: a body that stopped, an answer that nobody takes.
  server.setTimeout(idleTime * 1000);
  // Node would refuse it without our headers.
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) =>
    refuse(core, response, new Refusal(40000, "only 100-continue can be expected", 417)),
  );
  countConnections(core, server);
  return server;
}
