import { type HubMessage, tellHubs } from "./between-hubs";
import type { Environment, Timer } from "../environment";

/** How often, ms, a waiting hub asks for the leader. A hub on its own leads. */
const ASK_EVERY_MS = 5_000;

/** A leader that says nothing for this long, ms, is frozen or hung: a lock ends with its holder. */
const SILENCE_MS = 15_000;

/** A leader that stepped down for a newer build stays out of the queue for this long, ms. */
const STEP_BACK_MS = 30_000;

/** The same for all builds, so that two versions of the app have one leader. */
const LOCK_NAME = "earshot-hub";

/**
 * A hub's part in the election of the one that holds the streams, and nothing else (docs/design.md §3): it takes over
 * from a silent leader, and yields to a newer build. The lead is a Web Lock, which passes on when its holder dies.
 */
export class Election {
  /** Ends this hub's place in the queue, or its lead; undefined = it has neither. */
  #bid: AbortController | undefined;
  isLeading = false;
  #timer: Timer | undefined;
  #stepBack: Timer | undefined;
  #heardAtMs: number;
  #askedAtMs: number;

  constructor(
    private readonly environment: Environment,
    private readonly hubId: string,
    /** `onLost`: it was given up, or taken by a hub that had heard nothing from this one for too long. */
    private readonly events: { onLead(): void; onLost(): void },
  ) {
    this.#heardAtMs = this.#askedAtMs = environment.now();
  }

  /** Enters the queue for the lead. */
  start(): void {
    if (this.#bid) return;
    this.#heardAtMs = this.#askedAtMs = this.environment.now();
    this.#ask();
    this.#post("hello");
    if (!this.isLeading) this.#waitOn();
  }

  /** Gives up the lead, or waiting for it, until `start`. */
  stop(): void {
    const wasLeading = this.isLeading;
    this.isLeading = false;
    this.environment.clearTimer(this.#stepBack);
    this.environment.clearTimer(this.#timer);
    if (wasLeading) this.events.onLost();
    this.#bid?.abort();
    this.#bid = undefined;
  }

  /** Takes what other hubs say. */
  hear(data: HubMessage): void {
    if (data.kind === "heartbeat") this.#heardAtMs = this.environment.now();
    if (data.kind !== "hello") return;
    if (data.build > this.environment.build) {
      this.stop();
      this.#stepBack = this.environment.setTimer(() => this.start(), STEP_BACK_MS);
    } else if (this.isLeading) this.#post("heartbeat");
  }

  /** Keeps asking, and takes the lead when nobody answers. */
  #waitOn(): void {
    this.#timer = this.environment.setTimer(() => {
      const nowMs = this.environment.now();
      const sinceMs = nowMs - this.#askedAtMs;
      // A timer that fires late, or a clock that was set, shows that this hub slept or lost track of time, not that the
      // leader was silent.
      if (sinceMs < 0 || sinceMs > 2 * ASK_EVERY_MS) this.#heardAtMs = nowMs;
      this.#askedAtMs = nowMs;
      if (nowMs - this.#heardAtMs >= SILENCE_MS) this.#ask(true);
      if (this.isLeading) return;
      this.#post("hello");
      this.#waitOn();
    }, ASK_EVERY_MS);
  }

  /** @param steal takes the lead from its holder */
  #ask(steal = false): void {
    this.#bid?.abort();
    const bid = new AbortController();
    this.#bid = bid;
    const lead = (): void => {
      this.isLeading = true;
      this.environment.clearTimer(this.#timer);
      this.#post("heartbeat");
      this.events.onLead();
    };
    const { locks } = this.environment;
    if (!locks) return lead();
    const hold = (): Promise<void> =>
      new Promise((release) => {
        if (bid.signal.aborted) return release();
        bid.signal.addEventListener("abort", () => release());
        lead();
      });
    locks.request(LOCK_NAME, steal ? { steal } : { signal: bid.signal }, hold).catch((error: unknown) => {
      // Either the lock was stolen while we held it, or we left the queue, which needs no mention.
      if (bid.signal.aborted) return;
      this.stop();
      this.start();
      if (!(error instanceof DOMException)) throw error;
    });
  }

  #post(kind: "hello" | "heartbeat"): void {
    const { channel, build } = this.environment;
    tellHubs(channel, { kind, from: this.hubId, build });
  }
}
