import { type CommandError, oneAtATime, type OutgoingMessage, keyOf } from "../../contract";
import {
  type Credentials,
  decodeEvent,
  fail,
  type Failure,
  type MessageDraft,
  type MessageEvent,
  ok,
  publishRequest,
  type PublishInput,
  type Result,
  type ServerAddress,
  type StorableEvent,
} from "../../protocol";
import type { AccountRecord, ServerRecord } from "../../store";
import { isRecent, type Environment, type Timer } from "../environment";
import { tellHubs } from "../lead/between-hubs";
import { readServers, type StoredServer } from "../read-servers";
import { isMarkerRefused, reactionTo } from "../requests/classify";
import { poll } from "../requests/poll";
import type { Requests } from "../requests/requests";
import { afterFailure, type NextTry, NO_TRIES } from "../requests/retry-policy";
import { failed, unwrap, type CommandContext, type FeatureCommands } from "./context";
import { askAccount, serverNowS } from "./sign-in";
import { checkInput } from "./topic-commands";

/** While something waits, the leader looks for what is due this often, ms, and whenever a server is live again. */
const LOOK_EVERY_MS = 10_000;

/** An upload must be answered within this, ms. */
const UPLOADED_WITHIN_MS = 600_000;

/** This long after a try ended, ms, whatever it sent has reached the server, or never will. */
const SETTLED_AFTER_MS = 60_000;

/** The same, after it began, ms. */
const settledAfterMs = ({ file }: MessageDraft): number => SETTLED_AFTER_MS + (file ? UPLOADED_WITHIN_MS : 0);

/** A scheduled message due sooner than this, seconds, is sent at once: servers refuse shorter delays. */
const SOON_S = 15;

/** Where a message goes, and as whom. */
interface Sender {
  serverId?: number | undefined;
  clockAheadS?: number | undefined;
  requests: Requests;
  credentials: Credentials | undefined;
  /** Whether the server refused the credentials, so that they are used only when the user asks. */
  isRefused: boolean;
}

/**
 * Publishes the user's messages. Those that may not have reached their server are kept, and the leader sends them once
 * the server is live (docs/design.md §6, "Sending").
 */
export class Outbox {
  readonly #lookOnce: () => Promise<void>;
  /** Whether something may be waiting. */
  #mayHold = true;
  #timer: Timer | undefined;
  /** When servers failed, by number, and for how long they are left alone; device clock, ms. */
  readonly #waits = new Map<number | undefined, NextTry & { atMs: number }>();

  /** The servers to which messages are being sent, by number. */
  readonly #sending = new Set<number>();
  /** Ends the sending of the message with this sequence. */
  readonly #aborters = new Map<string, AbortController>();

  constructor(private readonly context: CommandContext) {
    this.#lookOnce = oneAtATime(() => this.#look(), context.environment.report);
  }

  /** Sends what is due. @param anew the outbox may have changed */
  look(anew: boolean): void {
    this.#mayHold ||= anew;
    if (this.#mayHold && this.context.isLeading()) void this.#lookOnce();
  }

  async #look(): Promise<void> {
    const { store, setTimer, clearTimer, report } = this.context.environment;
    clearTimer(this.#timer);
    const kept = await store.outbox();
    const waiting = kept.ok ? kept.value.filter(({ why }) => !why).sort((a, b) => a.atMs - b.atMs) : [];
    this.#mayHold = waiting.length > 0 || !kept.ok;
    if (!this.#mayHold) return;
    this.#timer = setTimer(() => this.look(false), LOOK_EVERY_MS);
    const stored = await readServers(store);
    // What can't be read now is read in the next round.
    if (!stored.ok) return;
    // A long upload to one server holds up no message to another.
    for (const one of stored.value) void this.#sendTo(one, waiting).catch(report);
  }

  /** Sends what is due to a server, one message after the other. */
  async #sendTo({ server, accounts, subscriptions }: StoredServer, waiting: readonly OutgoingMessage[]): Promise<void> {
    const { serverId, address } = server;
    if (this.#sending.has(serverId)) return;
    this.#sending.add(serverId);
    try {
      for (const outgoing of waiting) {
        const topic = subscriptions.find(({ subId }) => subId === outgoing.subId);
        const account = accounts.find(({ accountId }) => accountId === topic?.accountId);
        if (!topic || !this.#isLive(serverId) || account?.refusedAtMs !== undefined) continue;
        const { atMs, afterMs } = this.#waits.get(serverId) ?? { atMs: 0, afterMs: 0 };
        if (isRecent(this.context.environment, atMs, afterMs)) continue;
        const sender = this.#senderTo(address, server, account);
        // The allowed errors are shared with everything that repeats by itself.
        if (sender.requests.count.room("asking") >= 1) await this.#deliver(outgoing, sender);
      }
    } finally {
      this.#sending.delete(serverId);
    }
  }

  /** Whether a server is live, as far as this hub knows; the leader does know. */
  #isLive(of: number | undefined): boolean {
    return this.context.statuses().some(({ serverId, state }) => serverId === of && state.kind === "live");
  }

  /** The time by the server's clock, if known, ms: the device's may be set between a try and the look for it. */
  #nowThere({ clockAheadS = 0 }: Sender): number {
    return this.context.environment.now() + clockAheadS * 1_000;
  }

  async #deliver(outgoing: OutgoingMessage, sender: Sender): Promise<void> {
    const { triedAtMs } = outgoing;
    const subscriptions = unwrap(await this.context.environment.store.subscriptions());
    const topic = subscriptions.find(({ subId }) => subId === outgoing.subId)?.topic;
    if (topic === undefined) return;
    const { delay, ...now } = outgoing;
    // Its time may have passed while it waited.
    const isOver = delay !== undefined && Number(delay) < this.#nowThere(sender) / 1_000 + SOON_S;
    const input = { ...(isOver ? now : outgoing), address: sender.requests.address, topic };
    if (triedAtMs !== undefined) {
      if (isRecent({ now: () => this.#nowThere(sender) }, triedAtMs, settledAfterMs(outgoing))) return;
      const found = await this.#find(outgoing, topic, triedAtMs, sender);
      if (!found.ok) return this.#failed(outgoing, sender, found.error, "unsure");
      if (found.value) {
        if (found.value.event === "message")
          await storeOwn(this.context, input.address, found.value, outgoing.delay !== undefined);
        return this.#edit(outgoing, () => undefined);
      }
    }
    const atMs = this.#nowThere(sender);
    let isMine = false;
    await this.#edit(outgoing, (before) => {
      // Another hub may be sending it, or the user has taken it out.
      isMine = before !== undefined && before.triedAtMs === triedAtMs && !before.why;
      return isMine && before ? { ...before, triedAtMs: atMs } : before;
    });
    if (!isMine) return;
    const sent = await this.#send(input, sender);
    if (sent.ok) {
      this.#waits.delete(sender.serverId);
      return this.#edit(outgoing, () => undefined);
    }
    // The user took it out meanwhile, which says nothing about the server.
    if (sent.error.kind === "ended") return;
    await this.#failed(outgoing, sender, sent.error, isRefusal(sent.error) ? "not sent" : "unsure");
  }

  /** Records what is known about a message after a failure, and when its server is tried again. */
  async #failed(
    outgoing: OutgoingMessage,
    sender: Sender,
    why: Failure,
    outcome: "not sent" | "unsure",
  ): Promise<void> {
    const { serverId } = sender;
    const { now, random } = this.context.environment;
    const reaction = reactionTo(why);
    // If a message is too large for a proxy, it stays too large.
    const isFinal = reaction.kind !== "retry" || isMarkerRefused(why) || (why.kind === "http" && why.status === 413);
    await this.#edit(outgoing, (before) => {
      if (!before) return undefined;
      const { triedAtMs: _, ...untried } = before;
      return { ...(outcome === "unsure" ? this.#unsure(before, sender) : untried), ...(isFinal && { why }) };
    });
    if (reaction.kind !== "retry") return;
    const { tries = NO_TRIES } = this.#waits.get(serverId) ?? {};
    const next = afterFailure(tries, { nowMs: now(), chance: random() }, reaction.afterMs);
    this.#waits.set(serverId, { ...next, atMs: now() });
  }

  /** A message whose try ended without an answer: there is no upload to wait for any longer. */
  #unsure(outgoing: OutgoingMessage, sender: Sender): OutgoingMessage {
    const { triedAtMs } = outgoing;
    const latestMs = this.#nowThere(sender) + SETTLED_AFTER_MS - settledAfterMs(outgoing);
    return { ...outgoing, ...(triedAtMs !== undefined && { triedAtMs: Math.min(triedAtMs, latestMs) }) };
  }

  /** Looks for a message whose try had no answer: by its sequence, or on older servers by its words. */
  async #find(
    outgoing: OutgoingMessage,
    topic: string,
    triedAtMs: number,
    { requests, credentials }: Sender,
  ): Promise<Result<StorableEvent | undefined, Failure>> {
    const { sequence, message, title, delay, file } = outgoing;
    const triedS = Math.floor(triedAtMs / 1_000);
    const since = { kind: "time", time: triedS - SETTLED_AFTER_MS / 1_000 } as const;
    const untilS = delay === undefined ? triedS + settledAfterMs(outgoing) / 1_000 : Infinity;
    let found: StorableEvent | undefined;
    const failure = await poll(
      requests,
      { topics: [topic], since, scheduled: true, credentials },
      {
        events(events) {
          for (const event of events) {
            const isSaid =
              event.event === "message" &&
              event.title === title &&
              (file ? event.attachment?.name === file.name : event.message.trim() === message.trim());
            // What was deleted since did arrive.
            if (event.sequence_id === sequence || (!event.sequence_id && isSaid && event.time <= untilS))
              found ??= event;
          }
        },
      },
    );
    return failure ? fail(failure) : ok(found);
  }

  async #send(
    input: Parameters<typeof publishRequest>[0],
    { requests, credentials }: Sender,
  ): Promise<Result<{ message: MessageEvent }, Failure>> {
    const { sequence = "" } = input;
    const aborter = new AbortController();
    this.#aborters.set(sequence, aborter);
    const request = {
      ...publishRequest(input),
      method: "POST" as const,
      credentials,
      signal: aborter.signal,
      ...(input.file && { withinMs: UPLOADED_WITHIN_MS }),
    };
    const send = async (): Promise<Result<{ message: MessageEvent }, Failure>> => {
      const answer = await requests.json(request);
      if (!answer.ok) return answer;
      const event = decodeEvent(answer.value);
      if (event?.event !== "message") return fail({ kind: "malformed", text: "" });
      return ok({ message: event });
    };
    const isScheduled = input.delay !== undefined;
    return sendOwnMessage(this.context, input.address, send, isScheduled).finally(() =>
      this.#aborters.delete(sequence),
    );
  }

  /** Changes a message of the outbox, and tells everyone. */
  async #edit(
    { subId, sequence }: Pick<OutgoingMessage, "subId" | "sequence">,
    edit: (before: OutgoingMessage | undefined) => OutgoingMessage | undefined,
  ): Promise<void> {
    const { store, report } = this.context.environment;
    const edited = await store.editOutgoing([subId, sequence], edit);
    if (!edited.ok) report(edited.error);
    this.context.announce({ kind: "catalogue" });
  }

  /** How to reach a server with an account; undefined = the account is another server's. */
  async #senderOf({ address, accountId }: Pick<PublishInput, "address" | "accountId">): Promise<Sender | undefined> {
    const { store } = this.context.environment;
    const server = unwrap(await store.findServer(address));
    const account = unwrap(await store.accounts()).find((one) => one.accountId === accountId);
    if (accountId && !(server && account?.serverId === server.serverId)) return undefined;
    return this.#senderTo(address, server, account);
  }

  #senderTo(address: ServerAddress, server?: ServerRecord, account?: AccountRecord): Sender {
    const { serverId, clockAheadS } = server ?? {};
    return {
      serverId,
      clockAheadS,
      requests: this.context.requests(address, server),
      credentials: account?.credentials,
      isRefused: account?.refusedAtMs !== undefined,
    };
  }

  async #publish(input: PublishInput): Promise<Result<{ message?: MessageEvent }, CommandError>> {
    const checked = checkInput({ ...input, topics: [input.topic] });
    if (!checked.ok) return checked;
    const sender = await this.#senderOf(input);
    if (!sender) return fail({ kind: "not-found" });
    if (input.credentials) sender.credentials = input.credentials;
    const { environment, isOnline } = this.context;
    const { address: _address, topic, credentials: _secret, accountId: _account, sequence, ...draft } = input;
    const topics = sequence === undefined ? [] : unwrap(await environment.store.subscriptions());
    const own = topics.find((one) => one.serverId === sender.serverId && one.topic === topic);
    const atMs = environment.now();
    // Stored before the try, so that it isn't lost with this worker.
    const kept =
      own && sequence !== undefined
        ? await environment.store.editOutgoing([own.subId, sequence], (before) => ({
            ...draft,
            ...{ subId: own.subId, sequence, atMs: before?.atMs ?? atMs },
            ...((isOnline() || this.#isLive(sender.serverId)) && { triedAtMs: this.#nowThere(sender) }),
          }))
        : undefined;
    const outgoing = kept?.ok ? kept.value : undefined;
    const isTried = !outgoing || outgoing.triedAtMs !== undefined;
    const sent = isTried ? await this.#send(input, sender) : fail<Failure>({ kind: "network" });
    if (outgoing && !sent.ok && !isRefusal(sent.error)) {
      await this.#edit(outgoing, (before) => before && this.#unsure(before, sender));
      return ok({});
    }
    if (outgoing) await this.#edit(outgoing, () => undefined);
    return sent.ok ? sent : fail(failed(sent.error));
  }

  commands() {
    return {
      publish: (input) => this.#publish(input),
      dropOutgoing: async (key) => {
        this.#aborters.get(key.sequence)?.abort();
        await this.#edit(key, () => undefined);
        return ok(null);
      },
      allowance: async (input: { address: ServerAddress; accountId?: number }) => {
        const sender = await this.#senderOf(input);
        if (!sender || sender.isRefused) return fail<CommandError>({ kind: "not-found" });
        const account = await askAccount(sender.requests, sender.credentials);
        if (!account.ok) return fail(failed(account.error));
        const { messagesLeft, fileBytes } = account.value;
        return ok({
          ...(messagesLeft !== undefined && { messagesLeft }),
          ...(fileBytes !== undefined && { fileBytes }),
        });
      },
    } satisfies FeatureCommands;
  }
}

/** Whether the server certainly didn't take a message: it said so, or was never asked. */
function isRefusal(why: Failure): boolean {
  switch (why.kind) {
    case "network":
    case "silent":
    case "ended":
    case "malformed":
      return false;
    case "http":
      return why.status < 500 || why.code !== undefined;
    default:
      return true;
  }
}

/** How long arrivals wait for a send's answer, ms: streams are faster. Waiting longer would delay other messages. */
const HOLD_MS = 2_000;

/** Sends a message and stores it, as read unless it is scheduled, whether the answer or the stream comes first. */
export async function sendOwnMessage<Failed>(
  context: CommandContext,
  address: ServerAddress,
  send: () => Promise<Result<{ message: MessageEvent }, Failed>>,
  isScheduled: boolean,
): Promise<Result<{ message: MessageEvent }, Failed>> {
  const { environment } = context;
  const end = holdArrivals(environment);
  tellHubs(environment.channel, { kind: "sending" });
  try {
    const sent = await send();
    if (sent.ok) await storeOwn(context, address, sent.value.message, isScheduled);
    return sent;
  } finally {
    end();
    tellHubs(environment.channel, { kind: "sent" });
  }
}

/** Has arrivals wait for an answer until what it returns is called, or for `HOLD_MS`. */
export function holdArrivals(environment: Environment): () => void {
  let end!: () => void;
  const answered = new Promise<void>((resolve) => void (end = resolve));
  const before = environment.storeAfter;
  environment.storeAfter = answered.then(() => before);
  const timer = environment.setTimer(end, HOLD_MS);
  return () => {
    environment.clearTimer(timer);
    end();
  };
}

/** Stores an own message if its topic is subscribed to, as read unless it is scheduled, even if it is already here. */
async function storeOwn(
  context: CommandContext,
  address: ServerAddress,
  event: MessageEvent,
  isScheduled: boolean,
): Promise<void> {
  const { store, now, report } = context.environment;
  const [server, subscriptions] = await Promise.all([store.findServer(address), store.subscriptions()]);
  // If it can't be stored now, the stream still brings it, and its ingest reports the failure.
  if (!server.ok || !subscriptions.ok) return;
  const own = subscriptions.value.find(
    ({ serverId, topic }) => serverId === server.value?.serverId && topic === event.topic,
  );
  if (!own) return;
  const { subId } = own;
  const nowS = serverNowS(context.environment, server.value);
  const stored = await store.ingest({
    arrivals: [{ subId, event, via: isScheduled ? "poll" : "stream" }],
    nowMs: now(),
    serverNowS: isScheduled ? Math.min(nowS, event.time - 1) : event.time,
    alerts: false,
    ...(!isScheduled && { readBefore: Infinity }),
  });
  if (!stored.ok) return;
  context.written(stored.value);
  if (isScheduled || stored.value.added.length > 0) return;
  const marked = await store.readOwn(keyOf({ subId, time: event.time, id: event.id }), now());
  if (marked.ok) context.written(marked.value);
  else report(marked.error);
}
