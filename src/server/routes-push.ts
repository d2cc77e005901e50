import type { FastifyInstance, FastifyRequest } from "fastify";
import { guards, isTopicName, MAX_PUSH_TOPICS } from "../protocol";
import { parseFields, readText } from "./body";
import { takeRequest, useTopics } from "./call";
import { nowS } from "./environment";
import type { Core } from "./core";
import { Refusal } from "./protocol-error";
import { isAtPushService, type WebPush } from "./web-push";

/** Room for 50 topics and a long endpoint. */
const MAX_BODY_BYTES = 32 * 1024;
/** Push services' endpoints have some 200 to 1,000 characters. */
const MAX_ENDPOINT_LENGTH = 2_048;
/** A browser's keys have 22 and 87 characters. */
const MAX_KEY_LENGTH = 256;

type Fields = Record<string, unknown>;

/** @throws Refusal 40038 */
async function readFields(request: FastifyRequest): Promise<Fields> {
  return parseFields(await readText(request.raw, MAX_BODY_BYTES, new Refusal(40038, "it is too large")), 40038);
}

/** @throws Refusal 40038 */
function textField(fields: Fields, key: string, longest: number): string {
  const value = fields[key];
  if (guards.text(value) && value !== "" && value.length <= longest) return value;
  throw new Refusal(40038, `"${key}" is missing, or no text of at most ${longest} characters`);
}

const areNames = guards.list(guards.as<string>((topic) => guards.text(topic) && isTopicName(topic)));

/** @throws Refusal 40038 not a list of names, 40040 too long, 50001 a repeated name */
function topicsField({ topics = [] }: Fields): string[] {
  if (!areNames(topics)) throw new Refusal(40038, '"topics" is no list of names of topics');
  if (topics.length > MAX_PUSH_TOPICS) throw new Refusal(40040, `${MAX_PUSH_TOPICS} at most`);
  const twice = topics.find((name, at) => topics.indexOf(name) !== at);
  if (twice !== undefined) throw new Refusal(50001, `"${twice}" stands in the list twice`);
  return topics;
}

/** Routes of browsers that want messages pushed to them (docs/protocol.md §15). */
export function addPushRoutes(app: FastifyInstance, core: Core): void {
  /** @throws Refusal 40401 without Web Push, 42901 */
  function admit({ call }: FastifyRequest): WebPush {
    if (!core.push) throw new Refusal(40401);
    takeRequest(call);
    return core.push;
  }

  app.post("/v1/webpush", async (request) => {
    const push = admit(request);
    const { call } = request;
    const fields = await readFields(request);
    const endpoint = textField(fields, "endpoint", MAX_ENDPOINT_LENGTH);
    const auth = textField(fields, "auth", MAX_KEY_LENGTH);
    const p256dh = textField(fields, "p256dh", MAX_KEY_LENGTH);
    if (!isAtPushService(endpoint, core.settings.webPush?.allowLoopback ?? false)) throw new Refusal(40039);
    const topics = topicsField(fields);
    useTopics(core, call, "read", topics);
    push.register({
      ...{ endpoint, auth, p256dh, topics, visitor: call.visitor.key, baseUrl: call.baseUrl },
      ...(call.user ? { user: call.user.name } : {}),
      renewedAt: nowS(core.host.clock),
    });
    return { success: true };
  });

  app.delete("/v1/webpush", async (request) => {
    const push = admit(request);
    push.remove(textField(await readFields(request), "endpoint", MAX_ENDPOINT_LENGTH));
    return { success: true };
  });
}
