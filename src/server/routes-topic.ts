import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { parseBoolean, STREAM_TYPES, type HttpFormat } from "../protocol";
import { peekBody, readText, wholeBody, type PeekedBody } from "./body";
import { isReserved, takeRequest, useTopics } from "./call";
import type { Core } from "./core";
import { readDraft, readJsonPublication, type ReadParameter } from "./draft";
import { Refusal } from "./protocol-error";
import { publish, publishSequenceEvent } from "./publish";
import { isOtherServersTopic, leadToApp } from "./static-app";
import { Subscription } from "./subscription";
import { offersWebSocket, sendWebSocket } from "./upgrades";
import { checkTopicName, topicList } from "./topics";

/** JSON may be this many times as long as the message in it. */
const JSON_OVERHEAD = 2;

interface Parts<Name extends string> {
  Params: Record<Name, string>;
}

/** Answers with a stream or a poll over HTTP (docs/protocol.md §7 and 8). Nothing else writes the response then. */
function sendHttpStream(core: Core, response: ServerResponse, subscription: Subscription, format: HttpFormat): void {
  response.on("close", subscription.end);
  // A broken connection shows as `close`; without a listener its error would end the process.
  response.on("error", () => response.destroy());
  response.setHeader("Content-Type", `${STREAM_TYPES[format]}; charset=utf-8`);
  response.setHeader("Access-Control-Allow-Origin", core.settings.allowOrigin);
  if (!subscription.request.isPoll) {
    // A proxy such as nginx would hold messages back until it has a few kilobytes of them.
    response.setHeader("X-Accel-Buffering", "no");
    // A stream may be silent while there are no messages.
    response.socket?.setTimeout(0);
  }
  subscription.start({
    stream: response,
    write(frames) {
      // The head is sent with the first bytes; an empty poll has none, so it declares a length of 0.
      if (frames.length > 0) response.write(frames.join(""));
    },
    finish: () => response.end(),
  });
}

/** Routes of topics: subscribing, publishing, checking (docs/protocol.md §2, 13 and 17). */
export function addTopicRoutes(app: FastifyInstance, core: Core): void {
  const { limits } = core.settings;

  /** Checks a publication before its body is read, in the order of the reference. */
  function admit({ call }: FastifyRequest, topic: string): void {
    takeRequest(call);
    useTopics(core, call, "write", [topic]);
  }

  function answerPublication(
    { call, headers }: FastifyRequest,
    topic: string,
    body: PeekedBody,
    read: ReadParameter,
  ): Promise<object> {
    const draft = readDraft(read, call.headers, core.host.clock.nowMs(), limits);
    if (!call.visitor.takeMessage()) throw new Refusal(42908);
    return publish(core, {
      ...{ topic, draft, body, visitor: call.visitor, baseUrl: call.baseUrl },
      announcedBytes: Number(headers["content-length"] ?? 0),
    });
  }

  /** PUT and POST to a topic, with a sequence in the path or not. */
  async function publishBody(request: FastifyRequest, topic: string, sequence?: string) {
    admit(request, topic);
    try {
      const body = await peekBody(request.raw, limits.messageBytes);
      const read: ReadParameter = (name) =>
        name === "sequenceId" && sequence !== undefined ? sequence : request.call.read(name);
      return await answerPublication(request, topic, body, read);
    } finally {
      // A body that was refused unread still has to be read off the connection before the next request.
      request.raw.resume();
    }
  }

  async function publishJson(request: FastifyRequest) {
    // Before the body is read, unlike in the reference: a refusal should cost next to nothing.
    takeRequest(request.call);
    const text = await readText(request.raw, limits.messageBytes * JSON_OVERHEAD);
    const { topic, body, parameters } = readJsonPublication(text);
    useTopics(core, request.call, "write", [topic]);
    const read: ReadParameter = (name) => parameters[name] ?? request.call.read(name);
    return answerPublication(request, topic, wholeBody(Buffer.from(body), limits.messageBytes), read);
  }

  /** A sequence named in the path; nothing is below a reserved name. */
  function pathSequence(topic: string, sequence: string): { topic: string; sequence: string } {
    if (isReserved(core, topic)) throw new Refusal(40401);
    return { topic: checkTopicName(topic), sequence: checkTopicName(sequence) };
  }

  function sequenceEvent(request: FastifyRequest<Parts<"topic" | "word">>, kind: "message_delete" | "message_clear") {
    const { topic, sequence } = pathSequence(request.params.topic, request.params.word);
    admit(request, topic);
    const { visitor } = request.call;
    if (!visitor.takeMessage()) throw new Refusal(42908);
    return publishSequenceEvent(core, { event: kind, topic, sequence_id: sequence }, visitor);
  }

  app.route({ method: ["PUT", "POST"], url: "/", handler: publishJson });
  app.route<Parts<"topic">>({
    method: ["PUT", "POST"],
    url: "/:topic",
    handler: (request) => publishBody(request, checkTopicName(request.params.topic)),
  });
  app.route<Parts<"topic" | "word">>({
    method: ["PUT", "POST"],
    url: "/:topic/:word",
    handler(request) {
      const { topic, sequence } = pathSequence(request.params.topic, request.params.word);
      return publishBody(request, topic, sequence);
    },
  });
  app.delete<Parts<"topic" | "word">>("/:topic/:word", (request) => sequenceEvent(request, "message_delete"));
  app.route<Parts<"topic" | "word" | "last">>({
    method: ["GET", "PUT"],
    url: "/:topic/:word/:last",
    handler(request) {
      const { last } = request.params;
      if (last === "clear" || last === "read") return sequenceEvent(request, "message_clear");
      if (last === "delete" && request.method === "GET") return sequenceEvent(request, "message_delete");
      throw new Refusal(40401);
    },
  });
  // The last path segment selects what to do.
  app.get<Parts<"topic" | "word">>("/:topic/:word", (request, reply) => {
    const { call } = request;
    const { topic: list, word } = request.params;
    if (isOtherServersTopic(list, word)) return leadToApp(request, reply, [list, word]);
    switch (word) {
      case "publish":
      case "send":
      case "trigger": {
        const topic = checkTopicName(list);
        admit(request, topic);
        const body = wholeBody(Buffer.alloc(0), limits.messageBytes);
        return answerPublication(request, topic, body, call.read);
      }
      case "auth": {
        const topics = topicList(list);
        takeRequest(call);
        if (core.settings.access) useTopics(core, call, "read", topics);
        return { success: true };
      }
      case "json":
      case "sse":
      case "raw":
      case "ws": {
        const topics = topicList(list);
        takeRequest(call);
        const isUpgraded = word !== "ws" || offersWebSocket(request.raw);
        if (isUpgraded || core.settings.access) useTopics(core, call, "read", topics);
        if (!isUpgraded) throw new Refusal(40016);
        const subscription = new Subscription(core, call, { list, topics, format: word });
        reply.hijack();
        if (word !== "ws") sendHttpStream(core, reply.raw, subscription, word);
        else sendWebSocket(core, reply.raw, subscription);
        return reply;
      }
      default:
        throw new Refusal(40401);
    }
  });
  app.get<Parts<"topic">>("/:topic", (request, reply) => {
    const topic = checkTopicName(request.params.topic);
    const isUnifiedPush = parseBoolean(request.call.read("unifiedPush"));
    return isUnifiedPush ? { unifiedpush: { version: 1 } } : leadToApp(request, reply, [topic]);
  });
}
