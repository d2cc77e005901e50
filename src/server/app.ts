import type { Socket } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import type { Call } from "./call";
import { authenticate, readCall } from "./call";
import type { Core } from "./core";
import type { OpenStreams } from "./open-streams";
import { Refusal } from "./protocol-error";
import { pathOf, type RequestEntry } from "./request-log";
import { addAccountRoutes } from "./routes-account";
import { addFileRoutes } from "./routes-file";
import { addServerRoutes } from "./routes-server";
import { addTopicRoutes } from "./routes-topic";
import { sendJson } from "./send-json";
import { addStaticApp, hasApp, redirectToApp } from "./static-app";

declare module "fastify" {
  interface FastifyRequest {
    call: Call;
  }
}

/** Room for a message in a header, and for long lists of topics in the address. */
const MAX_HEADER_BYTES = 64 * 1024;

function answerRefusal(core: Core, reply: FastifyReply, refusal: Refusal): FastifyReply {
  return sendJson(core, reply.code(refusal.http), refusal.body());
}

/** What Node says of a request that its parser refuses. */
type ParserError = Error & { code?: string; rawPacket?: unknown };

/** What to answer to a request that Node's parser refuses. */
function refusalOfBroken({ code, rawPacket }: ParserError): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") return new Refusal(40000, "the headers are too long");
  // The parser takes no bytes beyond ASCII in an address. Latin-1 shows each of them as one character.
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString("latin1") : "";
  const [, path, query] = /^[A-Z]+ (\/[^ ?\r\n]*)(\?[^ \r\n]*)? HTTP\//.exec(text) ?? [];
  const isRaw = (part = "") => /[\x80-\xff]/.test(part);
  if (code === "HPE_INVALID_URL" && isRaw(path)) return new Refusal(40401);
  if (code === "HPE_INVALID_URL" && isRaw(query)) return new Refusal(40000, "letters beyond ASCII must be escaped");
  return new Refusal(40000, "this is no HTTP");
}

const STATUS_LINES: Readonly<Record<number, string>> = { 400: "400 Bad Request", 404: "404 Not Found" };

/** Answers what is no HTTP at all, has headers beyond all bounds, or letters in the address that it can't have. */
function answerBrokenRequest(core: Core, error: ParserError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isTooLong = error.code === "HPE_HEADER_OVERFLOW";
  const refusal = refusalOfBroken(error);
  const body = refusal.body();
  const head = [
    `HTTP/1.1 ${isTooLong ? "431 Request Header Fields Too Large" : STATUS_LINES[refusal.http]}`,
    "Content-Type: application/json",
    `Access-Control-Allow-Origin: ${core.settings.allowOrigin}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** All routes of the server (protocol, section 2) and the app, in the order of checks of section 10. */
export async function createApp(
  core: Core,
  streams: OpenStreams,
  log: (entry: RequestEntry) => void,
): Promise<FastifyInstance> {
  const app = Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    // A path that can't be decoded names no topic.
    frameworkErrors: (_error, _request, reply) => void answerRefusal(core, reply, new Refusal(40401)),
    clientErrorHandler: (error, socket) => answerBrokenRequest(core, error, socket),
  });
  // Any body of any type is a message or a file, so nothing reads it but the routes themselves.
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  app.decorateRequest("call");
  app.addHook("onRequest", (request, _reply, done) => {
    request.call = readCall(core, request.raw);
    request.call.user = authenticate(core, request.call);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    log({ method: request.method, path: pathOf(request.url), status: reply.statusCode });
    done();
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof Refusal) return answerRefusal(core, reply, error);
    core.report(error);
    return answerRefusal(core, reply, new Refusal(50001));
  });
  const notFound = (): never => {
    throw new Refusal(40401);
  };
  app.setNotFoundHandler(notFound);

  const folder = core.settings.app;
  const servesApp = folder !== undefined && hasApp(folder);
  if (servesApp) await addStaticApp(app, folder);
  addServerRoutes(app, core);
  addAccountRoutes(app, core);
  addFileRoutes(app, core);
  addTopicRoutes(app, core, streams, servesApp ? redirectToApp : notFound);
  return app;
}
