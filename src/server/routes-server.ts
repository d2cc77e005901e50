import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { RESERVED_TOPICS } from "../protocol";
import { takeRequest } from "./call";
import type { Core } from "./core";

/** The server's settings for its app (docs/protocol.md §15). `base_url` is empty, which means the app's own origin. */
function clientConfig(core: Core): object {
  const config = {
    base_url: "",
    app_root: "/",
    enable_login: core.settings.access !== undefined,
    require_login: false,
    enable_signup: false,
    enable_payments: false,
    enable_calls: false,
    enable_emails: false,
    enable_reservations: false,
    enable_web_push: core.push !== undefined,
    billing_contact: "",
    web_push_public_key: core.push?.keys.publicKey ?? "",
    disallowed_topics: [...RESERVED_TOPICS, ...core.settings.reservedTopics],
  };
  // By the hash an open app can tell that the settings have changed.
  return { ...config, config_hash: createHash("sha256").update(JSON.stringify(config)).digest("hex") };
}

/** Routes about the server itself; only OPTIONS is rationed (docs/protocol.md §2, 12 and 15). */
export function addServerRoutes(app: FastifyInstance, core: Core): void {
  app.get("/v1/health", () => ({ healthy: true }));
  app.get("/v1/stats", () => ({ messages: core.published, messages_rate: core.rate }));
  app.get("/v1/config", (_request, reply) => reply.header("Cache-Control", "no-cache").send(clientConfig(core)));
  app.get("/config.js", (_request, reply) =>
    reply
      .header("Content-Type", "text/javascript")
      .header("Cache-Control", "no-cache")
      // As bytes: the library would add a charset to text.
      .send(Buffer.from(`var config = ${JSON.stringify(clientConfig(core), null, 2)};\n`)),
  );
  // The reference has pages and files of its own here.
  for (const path of ["/docs/*", "/static/*"]) {
    app.get(path, (_request, reply) =>
      reply.code(404).header("Content-Type", "text/plain; charset=utf-8").send("404 page not found\n"),
    );
  }
  app.head("/", (_request, reply) => reply.send());
  app.options("*", (request, reply) => {
    takeRequest(request.call);
    return reply
      .header("Access-Control-Allow-Methods", "GET, PUT, POST, PATCH, DELETE")
      .header("Access-Control-Allow-Origin", core.settings.allowOrigin)
      .header("Access-Control-Allow-Headers", "*")
      .send();
  });
}
