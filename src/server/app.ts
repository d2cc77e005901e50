import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { type Call, authenticate, pathOf, readCall, sendJson } from "./call";
import type { Core } from "./core";
import { answerBrokenRequest, createHttpServer, MAX_HEADER_BYTES } from "./http-server";
import type { OpenStreams } from "./open-streams";
import { Refusal } from "./protocol-error";
import { addAccountRoutes } from "./routes-account";
import { addFileRoutes } from "./routes-file";
import { addPushRoutes } from "./routes-push";
import { addServerRoutes } from "./routes-server";
import { addTopicRoutes } from "./routes-topic";
import { offersWebSocket } from "./upgrades";
import { addStaticApp, hasApp, redirectToApp } from "./static-app";

declare module "fastify" {
  interface FastifyRequest {
    call: Call;
  }
}

function answerRefusal(core: Core, reply: FastifyReply, refusal: Refusal): FastifyReply {
  return sendJson(core, reply.code(refusal.http), refusal.body());
}

/** All routes of the server (docs/protocol.md §2) and the app, in the order of checks of §10. */
export async function createApp(core: Core, streams: OpenStreams): Promise<FastifyInstance> {
  const app = Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // The query is read by the protocol's rules alone.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, querystringParser: () => ({}) },
    serverFactory: (handle) => createHttpServer(core, handle),
    // A path that can't be decoded names no topic.
    frameworkErrors: (_error, _request, reply) => void answerRefusal(core, reply, new Refusal(40401)),
    clientErrorHandler: (error, socket) => answerBrokenRequest(core, error, socket),
  });
  // A body of any type is a message or a file, so only the routes themselves read it.
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
    core.log({ method: request.method, path: pathOf(request.url), status: reply.statusCode });
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    // What the framework refuses, such as an unsupported method, has a status.
    const { statusCode = 500 } = error as { statusCode?: number };
    const refusal = error instanceof Refusal ? error : new Refusal(statusCode < 500 ? 40401 : 50001);
    if (refusal.code === 50001 && refusal !== error) core.report(error);
    // A failed upgrade is answered with only a status (docs/protocol.md §10).
    return offersWebSocket(request.raw) ? reply.code(refusal.http).send() : answerRefusal(core, reply, refusal);
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
  addPushRoutes(app, core);
  addTopicRoutes(app, core, streams, servesApp ? redirectToApp : notFound);
  return app;
}
