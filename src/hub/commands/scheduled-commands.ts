import { type CommandError, type MessageKey, statusOf } from "../../contract";
import {
  decodeEvent,
  fail,
  isTopicName,
  ok,
  serverUrl,
  republishBody,
  sequenceOf,
  sequenceUrl,
  type MessageEvent,
  type ProtocolEvent,
  type Result,
} from "../../protocol";
import { readServers, serverOfTopic } from "../read-servers";
import type { ServerRequest } from "../requests/requests";
import { failed, unwrap, type CommandContext, type FeatureCommands } from "./context";
import { sendOwnMessage } from "./outbox";
import { markMany, keysOf } from "./triage-commands";

/** What servers answer that don't know the request. */
const UNKNOWN_REQUEST = [404, 405, 501];

/** Commands for messages that their server has yet to deliver. */
export function scheduledCommands(context: CommandContext) {
  const { environment } = context;
  const { store, now } = environment;

  /** The message, and its server with the topic's credentials. */
  async function find(key: MessageKey) {
    const row = unwrap(await store.message(key));
    const { server, account } = serverOfTopic(unwrap(await readServers(store)), key[0]) ?? {};
    if (!row?.scheduled || !server) return fail<CommandError>({ kind: "not-found" });
    const credentials = account?.credentials;
    const requests = context.requests(server.address, server);
    const ask = async (request: ServerRequest): Promise<Result<ProtocolEvent, CommandError>> => {
      const answer = await requests.json({ ...request, credentials });
      if (!answer.ok) return fail(failed(answer.error));
      const event = decodeEvent(answer.value);
      return event ? ok(event) : fail(failed({ kind: "malformed", text: "" }));
    };
    return ok({ row, address: server.address, ask });
  }

  return {
    async cancelScheduled(chosen) {
      const left: MessageKey[] = [];
      let cancelled = 0;
      for (const key of await keysOf(context, chosen)) {
        const found = await find(key);
        if (!found.ok) continue;
        const { row, address, ask } = found.value;
        const sequence = sequenceOf(row.event);
        const answer = isTopicName(sequence)
          ? await ask({ url: sequenceUrl(address, row.event.topic, sequence), method: "DELETE" })
          : undefined;
        if (answer?.ok) {
          cancelled += 1;
          const event = answer.value;
          if (event.event !== "message_delete") continue;
          // The stream brings the server's event too.
          const arrivals = [{ subId: row.subId, event, via: "stream" as const }];
          const stored = await store.ingest({ arrivals, nowMs: now(), serverNowS: event.time, alerts: false });
          if (stored.ok) context.written(stored.value);
        } else if (!answer || UNKNOWN_REQUEST.includes(statusOf(answer.error) ?? 0)) left.push(key);
        else return answer;
      }
      const hidden = await markMany(context, left, { kind: "deleted", on: true });
      return hidden.ok ? ok({ cancelled, hidden: hidden.value }) : hidden;
    },

    async sendNow({ key }) {
      const found = await find(key);
      if (!found.ok) return found;
      const { row, address, ask } = found.value;
      // A single request: the next version of a sequence replaces what is scheduled of it (docs/protocol.md §17).
      const send = async (): Promise<Result<{ message: MessageEvent }, CommandError>> => {
        const answer = await ask({
          url: serverUrl(address, "publish"),
          method: "POST",
          body: republishBody(row.event),
        });
        if (!answer.ok) return answer;
        if (answer.value.event !== "message") return fail(failed({ kind: "malformed", text: "" }));
        return ok({ message: answer.value });
      };
      const sent = await sendOwnMessage(context, address, send, false);
      return sent.ok ? ok({ isCancelled: sequenceOf(sent.value.message) === sequenceOf(row.event) }) : sent;
    },
  } satisfies FeatureCommands;
}
