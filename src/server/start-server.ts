import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import type { MessageEvent, PollRequestEvent } from "../protocol";
import { type Call, authenticate, pathOf, readCall } from "./call";
import { Core } from "./core";
import { MACHINE, nowS, type ServerEnvironment } from "./environment";
import { answerBrokenRequest, createHttpServer, MAX_HEADER_BYTES } from "./http-server";
import { OptionsError, readOptions, type ResolvedOptions, type ServerOptions } from "./options";
import { Refusal } from "./protocol-error";
import { publishLocally, type LocalMessage } from "./publish";
import { addAccountRoutes } from "./routes-account";
import { addFileRoutes } from "./routes-file";
import { addPushRoutes } from "./routes-push";
import { addServerRoutes } from "./routes-server";
import { addTopicRoutes } from "./routes-topic";
import { addStaticApp, hasApp } from "./static-app";
import type { Subscriber } from "./topics";
import { acceptUpgrades, offersWebSocket } from "./upgrades";

export interface TopicServer {
  /** Address without final slash, such as `http://127.0.0.1:8080`. */
  url: string;
  port: number;
  settings: ResolvedOptions;
  /** The server's clock, Unix seconds. */
  nowS(): number;
  /** Publishes from inside, past all limits and rules. */
  publish(message: LocalMessage): Promise<MessageEvent | PollRequestEvent>;
  /** Whether no message was ever published, as far as is kept. */
  isFresh(): boolean;
  /** The streams open now, not counting polls. */
  streams(): Omit<Subscriber["request"], "isPoll">[];
  /** Cuts every open stream, as a broken network would; the server goes on. */
  cutStreams(): void;
  /** Resolves when every push has been answered. */
  pushed(): Promise<void>;
  /** Cuts every stream and connection at once, and writes the state file. */
  close(): Promise<void>;
}

/**
 * Starts a topic server (docs/protocol.md §1 to 14 and 17) on its own port; port 0 takes a free one.
 * @throws OptionsError; or the system's error if the port is taken (`code` `EADDRINUSE`) or a file can't be used
 */
export async function startServer(
  options: ServerOptions = {},
  environment: ServerEnvironment = {},
): Promise<TopicServer> {
  const settings = readOptions(options);
  if (!settings.ok) throw new OptionsError(settings.error);
  const core = new Core(settings.value, { ...MACHINE, ...environment });
  await core.open();
  const app = await createApp(core);
  acceptUpgrades(app.server);
  const { host, port, scheduleInterval, cleanupInterval } = settings.value;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    await core.close();
    throw error;
  }
  const address = app.server.address() as AddressInfo;
  const jobs = [
    core.host.clock.every(scheduleInterval, () => core.deliverDue()),
    core.host.clock.every(cleanupInterval, () => core.cleanUp()),
  ];
  const cutStreams = () => core.streams.forEach((stream) => stream.cut());
  async function close(): Promise<void> {
    for (const stop of jobs) stop();
    cutStreams();
    await app.close();
    await core.close();
  }
  let closing: Promise<void> | undefined;
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    settings: settings.value,
    nowS: () => nowS(core.host.clock),
    publish: (message) => publishLocally(core, address.port, message),
    isFresh: () => core.published === 0,
    streams: () =>
      [...core.streams]
        .filter(({ request }) => !request.isPoll)
        .map(({ request: { topics, format } }) => ({ topics, format })),
    cutStreams,
    pushed: async () => core.push?.settled(),
    close: () => (closing ??= close()),
  };
}

declare module "fastify" {
  interface FastifyRequest {
    call: Call;
  }
}

/** All routes of the server (docs/protocol.md §2) and the app, in the order of checks of §10. */
async function createApp(core: Core): Promise<FastifyInstance> {
  const jsonHeaders = {
    "Content-Type": "application/json",
    // Readable from any page (docs/protocol.md §12).
    "Access-Control-Allow-Origin": core.settings.allowOrigin,
  };
  // As bytes: the library would add a charset to text.
  const answerRefusal = (reply: FastifyReply, refusal: Refusal) =>
    reply.code(refusal.http).headers(jsonHeaders).send(Buffer.from(refusal.body()));
  const app = Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // The last address forwarded, as clients can forge earlier ones.
    trustProxy: (_address, hops) => core.settings.behindProxy && hops === 0,
    // The query is read by the protocol's rules alone.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, querystringParser: () => ({}) },
    serverFactory: (handle) => createHttpServer(core, handle),
    // A path that can't be decoded names no topic.
    frameworkErrors: (_error, _request, reply) => void answerRefusal(reply, new Refusal(40401)),
    clientErrorHandler: (error, socket) => answerBrokenRequest(core, error, socket),
  });
  // A body of any type is a message or a file, so only the routes themselves read it.
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  app.decorateRequest("call");
  app.addHook("onRequest", (request, _reply, done) => {
    request.call = readCall(core, request);
    request.call.user = authenticate(core, request.call);
    done();
  });
  // An object that a route returns is its answer.
  app.addHook("preSerialization", (_request, reply, payload, done) => {
    reply.headers(jsonHeaders);
    done(null, payload);
  });
  app.setReplySerializer((payload) => `${JSON.stringify(payload)}\n`);
  app.addHook("onResponse", (request, reply, done) => {
    core.host.log({ method: request.method, path: pathOf(request.url), status: reply.statusCode });
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    // What the framework refuses, such as an unsupported method, has a status.
    const { statusCode = 500 } = error as { statusCode?: number };
    const refusal = error instanceof Refusal ? error : new Refusal(statusCode < 500 ? 40401 : 50001);
    if (refusal.code === 50001 && refusal !== error) core.host.report(error);
    // A failed upgrade is answered with only a status (docs/protocol.md §10).
    return offersWebSocket(request.raw) ? reply.code(refusal.http).send() : answerRefusal(reply, refusal);
  });
  app.setNotFoundHandler(() => {
    throw new Refusal(40401);
  });

  const folder = core.settings.app;
  if (folder !== undefined && hasApp(folder)) await addStaticApp(app, folder);
  addServerRoutes(app, core);
  addAccountRoutes(app, core);
  addFileRoutes(app, core);
  addPushRoutes(app, core);
  addTopicRoutes(app, core);
  return app;
}
