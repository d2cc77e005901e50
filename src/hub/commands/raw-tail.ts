import type { TailLine, TailState } from "../../contract";
import type { Failure, Credentials, RawFrame } from "../../protocol";
import { RawFraming } from "../../protocol";
import { reactionTo } from "../classify";
import { receiveFrames, type ChunkVerdict } from "../receive-frames";
import type { Requests } from "../requests";
import { Retries } from "../retries";
import { STABLE_AFTER_MS } from "../retry-policy";
import type { Environment, Timer } from "../environment";
import { longestSilenceMs } from "../watchdog";

/**
 * When there is nothing new, an answer is held back for this long, ms: shorter than what a worker or a port waits for.
 */
const ANSWER_WITHIN_MS = 20_000;

/** After this time without a request from the page, ms, the page is gone or frozen. */
const ASK_WITHIN_MS = 45_000;

/** At most this many lines wait to be fetched; a page that can't keep up misses the oldest. */
const MAX_WAITING = 2_000;

/** What one answer says. */
export interface TailReport {
  lines: TailLine[];
  /** Lines dropped since the last answer, because the page didn't keep up or they were too long. */
  left: number;
  state: TailState;
}

/** The topic that a tail follows. */
export interface TailOf {
  topic: string;
  credentials?: Credentials | undefined;
  /** Interval between signs of life, ms. */
  keepaliveMs: number;
}

/**
 * The live tail of a topic as plain text (docs/protocol.md §2 and 7). Raw lines carry no ids, so they are neither
 * stored nor caught up (docs/design.md §4, "Transports"). The tail lasts for as long as somebody asks for it.
 */
export class RawTail {
  readonly #environment: Environment;
  readonly #requests: Requests;
  readonly #of: TailOf;
  readonly #over: () => void;
  readonly #retries: Retries;
  readonly #aborter = new AbortController();
  #lines: TailLine[] = [];
  #left = 0;
  #state: TailState = { kind: "connecting" };
  #isTold = false;
  #answer: (() => void) | undefined;
  #answerTimer: Timer | undefined;
  #askTimer: Timer | undefined;
  #retryTimer: Timer | undefined;

  /** @param over called when the tail has ended */
  constructor(environment: Environment, requests: Requests, of: TailOf, over: () => void) {
    this.#environment = environment;
    this.#requests = requests;
    this.#of = of;
    this.#over = over;
    this.#retries = new Retries(environment);
    void this.#receive();
  }

  /** What is new since the last answer; waits a while if there is nothing. A second call ends the wait of the first. */
  async next(): Promise<TailReport> {
    const { clearTimer, setTimer } = this.#environment;
    clearTimer(this.#askTimer);
    this.#answer?.();
    if (this.#isTold) {
      await new Promise<void>((resolve) => {
        this.#answer = resolve;
        this.#answerTimer = setTimer(resolve, ANSWER_WITHIN_MS);
      });
      clearTimer(this.#answerTimer);
      this.#answer = undefined;
    }
    this.#isTold = true;
    if (!this.#aborter.signal.aborted) this.#askTimer = setTimer(() => this.stop(), ASK_WITHIN_MS);
    const report = { lines: this.#lines, left: this.#left, state: this.#state };
    this.#lines = [];
    this.#left = 0;
    return report;
  }

  /** Ends the tail; a second call does nothing. */
  stop(): void {
    const { clearTimer } = this.#environment;
    if (this.#aborter.signal.aborted) return;
    this.#aborter.abort();
    for (const timer of [this.#askTimer, this.#retryTimer]) clearTimer(timer);
    this.#answer?.();
    this.#over();
  }

  async #receive(): Promise<void> {
    const { setTimer, clearTimer, now } = this.#environment;
    this.#become({ kind: "connecting" });
    const stable = setTimer(() => this.#retries.after({ kind: "stable" }), STABLE_AFTER_MS);
    const why = await this.#stream();
    clearTimer(stable);
    if (this.#aborter.signal.aborted) return;
    const hadWorked = this.#state.kind === "open";
    const reaction = reactionTo(why);
    if (reaction.kind === "stop" || reaction.kind === "leave-out") {
      this.#become({ kind: "stopped", why });
      return;
    }
    const atLeastMs = reaction.kind === "retry" ? { atLeastMs: reaction.afterMs } : {};
    const step = this.#retries.after(hadWorked ? { kind: "stream-ended" } : { kind: "try-failed", ...atLeastMs });
    const delayMs = step.kind === "try" ? step.afterMs : 0;
    this.#become({ kind: "waiting", nextTryAtMs: now() + delayMs, why });
    this.#retryTimer = setTimer(() => void this.#receive(), delayMs);
  }

  /** Reads one stream until it ends. */
  async #stream(): Promise<Failure> {
    const { topic, credentials, keepaliveMs } = this.#of;
    const end = await receiveFrames(this.#requests, {
      topics: [topic],
      format: "raw",
      credentials,
      framing: new RawFraming(),
      taker: { take: (frames) => this.#take(frames) },
      silence: { clock: this.#environment, limitMs: () => longestSilenceMs(keepaliveMs) },
      signal: this.#aborter.signal,
    });
    return end === "whole" ? { kind: "ended" } : end;
  }

  #take(frames: RawFrame[]): ChunkVerdict {
    const atMs = this.#environment.now();
    for (const frame of frames) {
      if (frame.kind === "text") this.#lines.push({ atMs, text: frame.text });
      if (frame.kind === "malformed") this.#left += 1;
    }
    this.#left += Math.max(0, this.#lines.length - MAX_WAITING);
    this.#lines = this.#lines.slice(-MAX_WAITING);
    this.#become({ kind: "open", heardAtMs: atMs });
    // A raw stream holds any text, so none of it is strange.
    return "alive";
  }

  #become(state: TailState): void {
    this.#state = state;
    this.#isTold = false;
    this.#answer?.();
  }
}
