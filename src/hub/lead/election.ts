import { CONTRACT_VERSION } from "../../contract";
import type { HubMessage } from "./between-hubs";
import type { Campaign, Turn } from "../leadership";
import type { Environment, Timer } from "../environment";

/** How often, ms, a waiting hub asks for the leader. A hub on its own leads. */
const ASK_EVERY_MS = 5_000;

/** A leader that says nothing for this long, ms, is frozen or hung: it has missed three questions. */
const SILENCE_MS = 15_000;

/** A leader that stepped down for a newer build stays out of the queue for this long, ms. */
const STEP_BACK_MS = 30_000;

/** A hub's part in the election: it takes over from a silent leader, and yields to a newer build. */
export class Election {
  #campaign: Campaign | undefined;
  #isLeading = false;
  #timer: Timer | undefined;
  #patience: Timer | undefined;
  #stepBack: Timer | undefined;
  #heardAtMs: number;
  /** Whether a leader was heard since this campaign began. */
  #hasHeard = false;
  #askedAtMs: number;

  constructor(
    private readonly environment: Environment,
    private readonly hubId: string,
    private readonly events: Turn,
  ) {
    this.#heardAtMs = this.#askedAtMs = environment.now();
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** Enters the queue for the lead. */
  start(): void {
    if (this.#campaign) return;
    const environment = this.environment;
    this.#heardAtMs = this.#askedAtMs = environment.now();
    this.#hasHeard = false;
    // With no other hub, `onLead` runs within the call below, before `campaign` is set.
    let campaign: Campaign | undefined = undefined;
    const turn = {
      onLead: () => {
        this.#isLeading = true;
        this.#clearTimers();
        this.#post("heartbeat");
        this.events.onLead();
      },
      onLost: () => {
        if (this.#campaign !== campaign) return;
        this.#end();
        this.events.onLost();
        this.start();
      },
    };
    campaign = environment.leadership.campaign(turn);
    this.#campaign = campaign;
    this.#post("hello");
    if (this.#isLeading) return;
    const { patienceMs } = environment.leadership;
    this.#patience = environment.setTimer(() => {
      if (!this.#hasHeard) this.#steal();
    }, patienceMs);
    this.#waitOn();
  }

  /** Gives up the lead, or waiting for it, until `start`. */
  stop(): void {
    const wasLeading = this.#isLeading;
    const campaign = this.#campaign;
    this.environment.clearTimer(this.#stepBack);
    this.#end();
    if (wasLeading) this.events.onLost();
    campaign?.resign();
  }

  /** Takes what other hubs say. */
  hear(data: HubMessage): void {
    if (data.kind === "heartbeat") {
      this.#heardAtMs = this.environment.now();
      this.#hasHeard = true;
    }
    if (data.kind !== "hello") return;
    if (data.build > this.environment.build) this.#makeRoom();
    else if (this.#isLeading) this.#post("heartbeat");
  }

  /** Leaves the lead, or the queue, to a hub of a newer build. */
  #makeRoom(): void {
    this.stop();
    this.#stepBack = this.environment.setTimer(() => this.start(), STEP_BACK_MS);
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
      if (nowMs - this.#heardAtMs >= SILENCE_MS) this.#steal();
      this.#post("hello");
      this.#waitOn();
    }, ASK_EVERY_MS);
  }

  #steal(): void {
    if (!this.#isLeading) this.#campaign?.steal();
  }

  #end(): void {
    this.#isLeading = false;
    this.#campaign = undefined;
    this.#clearTimers();
  }

  #clearTimers(): void {
    this.environment.clearTimer(this.#timer);
    this.environment.clearTimer(this.#patience);
  }

  #post(kind: "hello" | "heartbeat"): void {
    const message: HubMessage = {
      version: CONTRACT_VERSION,
      kind,
      from: this.hubId,
      build: this.environment.build,
    };
    this.environment.channel.post(message);
  }
}
