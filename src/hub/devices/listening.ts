// How packets come from a topic and go to it, apart from the connections: nothing of it is stored, counted or shown.
import {
  type Credentials,
  decodeEvent,
  decodeLine,
  fail,
  type Failure,
  LineFraming,
  type MessageEvent,
  ok,
  publishRequest,
  type Result,
  type ServerAddress,
  type Since,
} from "../../protocol";
import { isStoreFailure } from "../../store";
import type { Timer } from "../environment";
import { type CommandContext, unwrap } from "../commands/context";
import { reactionTo } from "../requests/classify";
import { DEFAULT_KEEPALIVE_MS, longestSilenceMs, receiveFrames } from "../requests/receive-frames";
import type { Requests } from "../requests/requests";
import { afterCut, afterFailure, NO_TRIES, STABLE_AFTER_MS } from "../requests/retry-policy";
import { PACKET_TAG } from "./packets";

/** A refused topic is tried again after this, ms: rights may be given back. */
const REFUSED_FOR_MS = 600_000;

/** A silent stream of a page that came back is renewed if nothing came for this long, ms. */
const DOUBTED_AFTER_MS = 60_000;

/** How to reach the server that carries a group: as its user, if the server has one here. */
async function carrierOf(
  { environment: { store }, requests: requestsTo }: CommandContext,
  address: ServerAddress,
): Promise<{ at: ServerAddress; requests: Requests; credentials: Credentials | undefined }> {
  const servers = unwrap(await store.servers());
  // It may have moved since the group was made.
  const server =
    servers.find((one) => one.address === address) ?? servers.find((one) => one.formerAddresses?.includes(address));
  const accounts = unwrap(await store.accounts());
  const account = accounts.find((one) => one.serverId === server?.serverId && one.refusedAtMs === undefined);
  const at = server?.address ?? address;
  const requests = requestsTo(at, server);
  requests.isBounded = true;
  return { at, requests, credentials: account?.credentials };
}

/** Publishes a packet; resolves to the message it became. */
export async function publishPacket(
  context: CommandContext,
  { address, topic }: { address: ServerAddress; topic: string },
  text: string,
): Promise<Result<MessageEvent, Failure>> {
  const { at, requests, credentials } = await carrierOf(context, address);
  const request = publishRequest({ address: at, topic, message: text, priority: 1, tags: [PACKET_TAG] });
  const answer = await requests.json({ ...request, method: "POST", credentials });
  if (!answer.ok) return answer;
  const event = decodeEvent(answer.value);
  return event?.event === "message" ? ok(event) : fail({ kind: "malformed", text: "" });
}

/** What to listen to, and who takes it. */
export interface TopicListener {
  address: ServerAddress;
  topic: string;
  /** Where to go on. */
  since(): Since;
  /** Takes the messages of one chunk, in order; the next are held back meanwhile. */
  hear(events: MessageEvent[]): Promise<void>;
  /** Bytes came. */
  alive?(): void;
  /** The stream failed and is tried again then, device clock, ms. */
  failed?(trouble: { why: Failure; nextTryAtMs: number }): void;
}

/** Listens to one topic until it is stopped: what it missed and what comes, in one request. */
export class Listening {
  #tries = NO_TRIES;
  #timer: Timer | undefined;
  #aborter = new AbortController();
  #isOver = false;
  #isOpen = false;
  #heardAtMs: number;
  #taking: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: CommandContext,
    private readonly of: TopicListener,
  ) {
    this.#heardAtMs = context.environment.now();
    void this.#receive();
  }

  stop(): void {
    this.#isOver = true;
    this.context.environment.clearTimer(this.#timer);
    this.#aborter.abort();
  }

  /** The page came back, or the network: a waiting try comes now, and a stream that may be dead is replaced. */
  wake(): void {
    const { now, clearTimer } = this.context.environment;
    if (this.#timer !== undefined) {
      clearTimer(this.#timer);
      void this.#receive();
    } else if (Math.abs(now() - this.#heardAtMs) > DOUBTED_AFTER_MS) this.#aborter.abort();
  }

  async #receive(): Promise<void> {
    const { setTimer, clearTimer, now, random } = this.context.environment;
    this.#timer = undefined;
    this.#aborter = new AbortController();
    this.#isOpen = false;
    const stable = setTimer(() => (this.#tries = { ...this.#tries, failures: 0 }), STABLE_AFTER_MS);
    const why = await this.#stream().catch((): Failure => ({ kind: "ended" }));
    clearTimer(stable);
    await this.#taking;
    if (this.#isOver) return;
    const reaction = reactionTo(why);
    const facts = { nowMs: now(), chance: random() };
    const atLeastMs = reaction.kind === "retry" ? reaction.afterMs : REFUSED_FOR_MS;
    const next = this.#isOpen ? afterCut(this.#tries, facts) : afterFailure(this.#tries, facts, atLeastMs);
    this.#tries = next.tries;
    this.#timer = setTimer(() => void this.#receive(), next.afterMs);
    if (!this.#isOpen) this.of.failed?.({ why, nextTryAtMs: facts.nowMs + next.afterMs });
  }

  async #hear(events: MessageEvent[]): Promise<void> {
    if (this.#isOver) return;
    await this.of.hear(events).catch((problem: unknown) => {
      // What can't be stored now is heard again by the next stream.
      if (isStoreFailure(problem)) this.#aborter.abort();
      else this.context.environment.report(problem);
    });
  }

  /** Reads one stream until it ends. */
  async #stream(): Promise<Failure> {
    const { address, topic } = this.of;
    const { requests, credentials } = await carrierOf(this.context, address);
    const end = await receiveFrames(requests, {
      topics: [topic],
      format: "json",
      since: this.of.since(),
      credentials,
      framing: new LineFraming(decodeLine),
      take: (frames) => {
        this.#heardAtMs = this.context.environment.now();
        this.#isOpen = true;
        this.of.alive?.();
        const events = frames.flatMap((frame) =>
          frame.kind === "event" && frame.event.event === "message" && frame.event.topic === topic ? [frame.event] : [],
        );
        if (events.length > 0) this.#taking = this.#taking.then(() => this.#hear(events));
        return "alive";
      },
      silenceMs: longestSilenceMs(DEFAULT_KEEPALIVE_MS),
      signal: this.#aborter.signal,
    });
    return end === "whole" ? { kind: "ended" } : end;
  }
}
