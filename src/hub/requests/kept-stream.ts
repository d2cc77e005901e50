import type { Failure } from "../../protocol";
import { isStoreFailure } from "../../store";
import type { Clock, Timer } from "../environment";
import { reactionTo } from "./classify";
import { type ChunkVerdict, type FramesRequest, receiveFrames } from "./receive-frames";
import type { Requests } from "./requests";
import { afterCut, afterFailure, NO_TRIES, STABLE_AFTER_MS } from "./retry-policy";

/** A silent stream of a page that came back is renewed if nothing came for this long, ms. */
const DOUBTED_AFTER_MS = 60_000;

export interface KeptStreamOwner<AnyFrame> {
  /** What to request now. Called before each try. */
  request(): Promise<{ requests: Requests; asked: Omit<FramesRequest<AnyFrame>, "take" | "signal"> }>;
  take(frames: AnyFrame[]): void;
  /** It ended, and is tried again at `nextTryAtMs`, device clock, ms; absent = it was refused, and isn't. */
  ended(why: Failure, hadWorked: boolean, nextTryAtMs?: number): void;
  /** What is refused is tried again after this, ms; absent = never. */
  refusedForMs?: number;
}

/** A stream apart from the servers' connections, requested anew whenever it ends. */
export class KeptStream<AnyFrame> {
  #tries = NO_TRIES;
  #timer: Timer | undefined;
  #aborter = new AbortController();
  #isOver = false;
  #isOpen = false;
  #heardAtMs: number;
  #waitsMs = 0;

  constructor(
    private readonly environment: Clock & { random(): number },
    private readonly owner: KeptStreamOwner<AnyFrame>,
  ) {
    this.#heardAtMs = environment.now();
    void this.#receive();
  }

  stop(): void {
    this.#isOver = true;
    this.environment.clearTimer(this.#timer);
    this.#aborter.abort();
  }

  /** Ends this try. The next comes after at least so long, ms. */
  renew(afterMs: number): void {
    this.#waitsMs = afterMs;
    this.#aborter.abort();
  }

  /** The page came back, or the network: a waiting try comes now, and a stream that may be dead is replaced. */
  wake(): void {
    const { now, clearTimer } = this.environment;
    if (this.#timer !== undefined) {
      clearTimer(this.#timer);
      void this.#receive();
    } else if (Math.abs(now() - this.#heardAtMs) > DOUBTED_AFTER_MS) this.#aborter.abort();
  }

  async #receive(): Promise<void> {
    const { setTimer, clearTimer, now, random } = this.environment;
    this.#timer = undefined;
    this.#aborter = new AbortController();
    this.#isOpen = false;
    this.#waitsMs = 0;
    const stable = setTimer(() => (this.#tries = { ...this.#tries, failures: 0 }), STABLE_AFTER_MS);
    const why = await this.#stream();
    clearTimer(stable);
    if (this.#isOver) return;
    const reaction = reactionTo(why);
    const refusedMs = reaction.kind === "leave-out" ? this.owner.refusedForMs : 0;
    if (refusedMs === undefined) return this.owner.ended(why, this.#isOpen);
    const facts = { nowMs: now(), chance: random() };
    const atLeastMs = reaction.kind === "retry" ? reaction.afterMs : refusedMs;
    const next = this.#isOpen ? afterCut(this.#tries, facts) : afterFailure(this.#tries, facts, atLeastMs);
    this.#tries = next.tries;
    const afterMs = Math.max(next.afterMs, this.#waitsMs);
    this.owner.ended(why, this.#isOpen, facts.nowMs + afterMs);
    this.#timer = setTimer(() => void this.#receive(), afterMs);
  }

  /** Reads one stream until it ends. */
  async #stream(): Promise<Failure> {
    const { signal } = this.#aborter;
    const asking = await this.owner.request().catch((problem: unknown) => {
      if (!isStoreFailure(problem)) throw problem;
    });
    // What can't be read now is read at the next try.
    if (!asking) return { kind: "ended" };
    const { requests, asked } = asking;
    const take = (frames: AnyFrame[]): ChunkVerdict => {
      this.#heardAtMs = this.environment.now();
      this.#isOpen = true;
      this.owner.take(frames);
      return "alive";
    };
    const end = await receiveFrames(requests, { ...asked, take, signal });
    return end === "whole" ? { kind: "ended" } : end;
  }
}
