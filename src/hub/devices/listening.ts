// How packets come from a topic and go to it, apart from the connections: nothing of it is stored, counted or shown.
import {
  decodeEvent,
  decodeLine,
  fail,
  type Failure,
  type Frame,
  lineFraming,
  type MessageEvent,
  ok,
  publishRequest,
  type Result,
  type ServerAddress,
} from "../../protocol";
import { isStoreFailure } from "../../store";
import { type CommandContext, unwrap } from "../commands/context";
import { refuseAccount } from "../connection/refusals";
import { isMarkerRefused } from "../requests/classify";
import { KeptStream } from "../requests/kept-stream";
import { DEFAULT_KEEPALIVE_MS, longestSilenceMs } from "../requests/receive-frames";
import { readServers, type StoredServer } from "../read-servers";
import { MAX_PACKET_BYTES, PACKET_TAG } from "./packets";

/** A refused topic is tried again after this, ms: rights may be given back. */
export const REFUSED_FOR_MS = 600_000;

/** A stream's replay surely holds what the server took in so long before it opened, s; live messages may be missed. */
const SETTLED_S = 60;

/** How to reach the server that carries a group: as its user, if the server has one here. It may have moved since. */
export function carrierIn(servers: readonly StoredServer[], address: ServerAddress) {
  const found =
    servers.find(({ server }) => server.address === address) ??
    servers.find(({ server }) => server.formerAddresses?.includes(address));
  const account = found?.accounts.find(({ refusedAtMs }) => refusedAtMs === undefined);
  const own = found?.subscriptions.filter(({ accountId }) => accountId === account?.accountId) ?? [];
  const credentials = account?.credentials;
  return { at: found?.server.address ?? address, server: found?.server, account, own, credentials };
}

async function carrierOf({ environment: { store }, requests: requestsTo }: CommandContext, given: ServerAddress) {
  const carrier = carrierIn(unwrap(await readServers(store)), given);
  const requests = requestsTo(carrier.at, carrier.server);
  requests.isBounded = true;
  return { ...carrier, requests };
}

/** Publishes a packet that was sealed. */
export async function publishPacket(
  context: CommandContext,
  { address, topic }: { address: ServerAddress; topic: string },
  text: string,
): Promise<Result<MessageEvent, Failure>> {
  if (text.length > MAX_PACKET_BYTES) return fail({ kind: "malformed", text: "" });
  const { at, requests, credentials } = await carrierOf(context, address);
  const request = publishRequest({ address: at, topic, message: text, priority: 1, tags: [PACKET_TAG] });
  // No other company needs to hear of it, as no app is to be woken.
  const url = `${request.url}?firebase=no`;
  const answer = await requests.json({ ...request, url, method: "POST", credentials });
  if (!answer.ok) return answer;
  const event = decodeEvent(answer.value);
  return event?.event === "message" ? ok(event) : fail({ kind: "malformed", text: "" });
}

/** What to listen to, and who takes it. */
export interface TopicListener {
  address: ServerAddress;
  topic: string;
  /** The id of a message before which none was missed; undefined = none. */
  since?: string | undefined;
  /**
   * Takes the messages of one chunk, in order; the next are held back meanwhile. Some come again with each stream.
   * @param since where the next stream begins
   */
  hear(events: MessageEvent[], since: string | undefined): Promise<void>;
  /** Bytes came. */
  alive?(): void;
  /** The stream failed and is tried again then, device clock, ms. */
  failed?(trouble: { why: Failure; nextTryAtMs: number }): void;
}

/** Listens to one topic until it is stopped: what it missed and what comes, in one request. */
export function listenTo(
  context: CommandContext,
  { address, topic, since, ...listener }: TopicListener,
): Pick<KeptStream<Frame>, "stop" | "wake"> {
  let taking = Promise.resolve();
  let isFailing = false;
  let openedS = -Infinity;
  let carrier: Awaited<ReturnType<typeof carrierOf>> | undefined;
  const hear = async (events: MessageEvent[]): Promise<void> => {
    if (isFailing) return;
    const next = events.findLast(({ time }) => time < openedS - SETTLED_S)?.id ?? since;
    try {
      await listener.hear(events, next);
      since = next;
    } catch (problem) {
      // What can't be stored now is heard again later, with all that came after it.
      isFailing = isStoreFailure(problem);
      if (isFailing) stream.renew(REFUSED_FOR_MS);
      else context.environment.report(problem);
    }
  };
  const stream = new KeptStream<Frame>(context.environment, {
    refusedForMs: REFUSED_FOR_MS,
    request: async () => {
      await taking;
      isFailing = false;
      carrier = await carrierOf(context, address);
      const { requests, credentials } = carrier;
      const from = since === undefined ? ({ kind: "all" } as const) : ({ kind: "id", id: since } as const);
      const asked = { topics: [topic], credentials, since: from, framing: lineFraming(decodeLine) };
      const silenceMs = longestSilenceMs(DEFAULT_KEEPALIVE_MS);
      return { requests, asked: { ...asked, silenceMs, format: "json" as const } };
    },
    take: (frames) => {
      listener.alive?.();
      const all = frames.flatMap((frame) => (frame.kind === "event" ? [frame.event] : []));
      openedS = all.find(({ event }) => event === "open")?.time ?? openedS;
      const events = all.flatMap((one) => (one.event === "message" && one.topic === topic ? [one] : []));
      if (events.length > 0) taking = taking.then(() => hear(events));
    },
    ended: (why, hadWorked, nextTryAtMs = 0) => {
      if (isMarkerRefused(why)) since = undefined;
      // Of a server without topics, only this shows it.
      if (why.kind === "unauthorized" && carrier?.account)
        void refuseAccount(context.environment, carrier.account.accountId, carrier.own).then(() =>
          context.catalogueChanged(),
        );
      if (!hadWorked) listener.failed?.({ why, nextTryAtMs });
    },
  });
  return stream;
}
