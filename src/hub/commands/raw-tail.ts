import type { TailLine, TailState, CommandError, Commands } from "../../contract";
import {
  type Credentials,
  type RawFrame,
  frameOfRawLine,
  lineFraming,
  ERROR_CODES,
  fail,
  ok,
  type Result,
} from "../../protocol";
import type { Environment, Timer } from "../environment";
import { KeptStream } from "../requests/kept-stream";
import { longestSilenceMs, DEFAULT_KEEPALIVE_MS } from "../requests/receive-frames";
import type { Requests } from "../requests/requests";
import { failed, unwrap, type CommandContext, type FeatureCommands } from "./context";
import { checkInput } from "./topic-commands";

/** How long, ms, an answer without news is held back: shorter than a worker or a port waits. */
const ANSWER_WITHIN_MS = 20_000;

/** After this time without a request from the page, ms, the page is gone or frozen. */
const ASK_WITHIN_MS = 45_000;

/** How many lines wait to be fetched, at most; a page that can't keep up misses the oldest. */
const MAX_WAITING = 2_000;

/** What one answer tells. */
type TailReport = Extract<Commands["tail"]["output"], { ok: true }>["value"];

interface TailOf {
  topic: string;
  credentials?: Credentials | undefined;
  /** Interval between signs of life, ms. */
  keepaliveMs: number;
}

/**
 * The live tail of a topic as text. Its lines have no ids, so they are neither stored nor caught up. It lasts as long
 * as somebody asks for it.
 */
export class RawTail {
  readonly #stream: KeptStream<RawFrame>;
  #isOver = false;
  #lines: TailLine[] = [];
  /** Lines dropped since the last answer, because the page didn't keep up or they were too long. */
  #left = 0;
  #state: TailState = { kind: "connecting" };
  #isTold = false;
  #answer: (() => void) | undefined;
  #askTimer: Timer | undefined;

  /** @param over called when the tail has ended */
  constructor(
    private readonly environment: Environment,
    private readonly requests: Requests,
    private readonly of: TailOf,
    private readonly over: () => void,
  ) {
    this.#stream = new KeptStream(environment, {
      request: () => this.#request(),
      take: (frames) => this.#take(frames),
      ended: (why, _hadWorked, nextTryAtMs) =>
        this.#become(nextTryAtMs === undefined ? { kind: "stopped", why } : { kind: "waiting", nextTryAtMs, why }),
    });
  }

  /** What is new since the last answer; waits a while if there is nothing. A second call ends the wait of the first. */
  async next(): Promise<TailReport> {
    const { clearTimer, setTimer } = this.environment;
    clearTimer(this.#askTimer);
    this.#answer?.();
    if (this.#isTold) {
      let timer: Timer;
      await new Promise<void>((resolve) => {
        this.#answer = resolve;
        timer = setTimer(resolve, ANSWER_WITHIN_MS);
      });
      clearTimer(timer);
    }
    this.#isTold = true;
    // A call whose wait this one ended has set it again.
    clearTimer(this.#askTimer);
    if (!this.#isOver) this.#askTimer = setTimer(() => this.stop(), ASK_WITHIN_MS);
    const report = { lines: this.#lines, left: this.#left, state: this.#state };
    this.#lines = [];
    this.#left = 0;
    return report;
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stream.stop();
    this.environment.clearTimer(this.#askTimer);
    this.#answer?.();
    this.over();
  }

  #request() {
    const { topic, credentials, keepaliveMs } = this.of;
    this.#become({ kind: "connecting" });
    const framing = lineFraming(frameOfRawLine);
    const asked = { topics: [topic], credentials, framing, silenceMs: longestSilenceMs(keepaliveMs) };
    return Promise.resolve({ requests: this.requests, asked: { ...asked, format: "raw" as const } });
  }

  /** A raw stream may hold any text, so nothing is malformed. */
  #take(frames: RawFrame[]): void {
    const atMs = this.environment.now();
    for (const frame of frames) {
      if (frame.kind === "text") this.#lines.push({ atMs, text: frame.text });
      if (frame.kind === "malformed") this.#left += 1;
    }
    this.#left += Math.max(0, this.#lines.length - MAX_WAITING);
    this.#lines = this.#lines.slice(-MAX_WAITING);
    this.#become({ kind: "open", heardAtMs: atMs });
  }

  #become(state: TailState): void {
    this.#state = state;
    this.#isTold = false;
    this.#answer?.();
  }
}

/** A browser opens six connections to a server, and streams and polls need some of them. */
const MAX_TAILS = 2;

/** The live tails of topics as plain text. */
export function tailCommands(context: CommandContext) {
  const { environment } = context;
  const { store } = environment;
  const tails = new Map<string, RawTail>();

  const open = async ({
    tailId,
    address,
    topic,
    accountId,
  }: Commands["tail"]["input"]): Promise<Result<RawTail, CommandError>> => {
    const checked = checkInput({ address, topics: [topic] });
    if (!checked.ok) return checked;
    const known = unwrap(await store.findServer(checked.value.address));
    const account = unwrap(await store.accounts()).find((one) => one.accountId === accountId);
    // An account's credentials go to its own server and nowhere else.
    if (accountId && account?.serverId !== known?.serverId) return fail({ kind: "not-found" });
    // The same tail was requested again while the tables were read.
    const meanwhile = tails.get(tailId);
    if (meanwhile) return ok(meanwhile);
    if (tails.size >= MAX_TAILS) return fail(failed({ kind: "busy", code: ERROR_CODES.tooManyStreams }));
    const requests = context.requests(checked.value.address, known);
    requests.isBounded = true;
    const tail = new RawTail(
      environment,
      requests,
      { topic, credentials: account?.credentials, keepaliveMs: known?.keepaliveMs ?? DEFAULT_KEEPALIVE_MS },
      () => tails.delete(tailId),
    );
    tails.set(tailId, tail);
    return ok(tail);
  };

  return {
    async tail(input) {
      const known = tails.get(input.tailId);
      const tail = known ? ok(known) : await open(input);
      return tail.ok ? ok(await tail.value.next()) : tail;
    },

    endTail({ tailId }) {
      tails.get(tailId)?.stop();
      return Promise.resolve(ok(null));
    },
  } satisfies FeatureCommands;
}
