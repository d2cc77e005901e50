import type { FastifyReply } from "fastify";
import type { Core } from "./core";

/** Answers with JSON and its final line feed, readable from any page (docs/protocol.md §2 and 12). */
export function sendJson(core: Core, reply: FastifyReply, content: string | object): FastifyReply {
  const text = typeof content === "string" ? content : `${JSON.stringify(content)}\n`;
  return (
    reply
      .header("Content-Type", "application/json")
      .header("Access-Control-Allow-Origin", core.settings.allowOrigin)
      // As bytes: the library would add a charset to text.
      .send(Buffer.from(text))
  );
}
