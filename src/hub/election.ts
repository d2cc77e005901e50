import { CONTRACT_VERSION } from "../protocol";
import { isHubMessage, type HubMessage } from "./hub-message";
import type { Campaign } from "./leadership";
import type { Surroundings, Timer } from "./surroundings";

/** The leader says that it lives this often, ms. */
const HEARTBEAT_EVERY_MS = 5_000;

/** A leader that says nothing for this long, ms, is frozen or hung: three heartbeats. */
const SILENCE_MS = 15_000;

/** A leader that made room for a newer build stays out of the queue for this long, ms. */
const STEP_BACK_MS = 30_000;

export interface ElectionEvents {
  onLead(): void;
  onLost(): void;
}

/**
 * One hub's part in choosing the leader: campaigns, keeps the others informed, takes the lead from a silent leader, and
 * makes room for another build. The build carries no order, so the one that started last is taken for the newest.
 */
export class Election {
  readonly #surroundings: Surroundings;
  readonly #hubId: string;
  readonly #events: ElectionEvents;
  #campaign: Campaign | undefined;
  #isLeading = false;
  #timer: Timer | undefined;
  #patience: Timer | undefined;
  #stepBack: Timer | undefined;
  #heardAtMs: number;
  /** A leader was heard since this campaign began. */
  #hasHeard = false;
  #tickedAtMs: number;

  constructor(surroundings: Surroundings, hubId: string, events: ElectionEvents) {
    this.#surroundings = surroundings;
    this.#hubId = hubId;
    this.#events = events;
    this.#heardAtMs = this.#tickedAtMs = surroundings.now();
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** Enters the queue for the lead. */
  start(): void {
    if (this.#campaign) return;
    const surroundings = this.#surroundings;
    this.#heardAtMs = this.#tickedAtMs = surroundings.now();
    this.#hasHeard = false;
    // A sole leader's turn comes within the call below, before there is a campaign to compare with.
    let campaign: Campaign | undefined = undefined;
    const turn = {
      onLead: () => {
        this.#isLeading = true;
        surroundings.clearTimer(this.#patience);
        this.#post("heartbeat");
        this.#events.onLead();
      },
      onLost: () => {
        if (this.#campaign !== campaign) return;
        this.#end();
        this.#events.onLost();
        this.start();
      },
    };
    campaign = surroundings.leadership.campaign(turn);
    this.#campaign = campaign;
    if (!this.#isLeading && Number.isFinite(surroundings.leadership.patienceMs)) {
      this.#patience = surroundings.setTimer(() => {
        if (!this.#hasHeard) this.#steal();
      }, surroundings.leadership.patienceMs);
    }
    this.#post("hello");
    this.#tick();
  }

  /** Gives up the lead or the wait for it, until `start`. */
  stop(): void {
    const wasLeading = this.#isLeading;
    const campaign = this.#campaign;
    this.#surroundings.clearTimer(this.#stepBack);
    this.#end();
    if (wasLeading) this.#events.onLost();
    campaign?.resign();
  }

  /** Hears what other hubs say. */
  hear(data: unknown): void {
    if (!isHubMessage(data)) return;
    if (data.kind === "heartbeat") {
      this.#heardAtMs = this.#surroundings.now();
      this.#hasHeard = true;
      // It may not have heard this one start.
      if (data.build < this.#surroundings.build) this.#post("hello");
    }
    if (data.kind !== "hello") return;
    if (data.build > this.#surroundings.build) this.#makeRoom();
    else if (this.#isLeading) this.#post("heartbeat");
  }

  /** Leaves the lead, or the queue, to a hub of a newer build. */
  #makeRoom(): void {
    this.stop();
    this.#stepBack = this.#surroundings.setTimer(() => this.start(), STEP_BACK_MS);
  }

  #tick(): void {
    const nowMs = this.#surroundings.now();
    // A tick that comes late means that this hub slept, not that the leader was silent.
    if (nowMs - this.#tickedAtMs > 2 * HEARTBEAT_EVERY_MS) this.#heardAtMs = nowMs;
    this.#tickedAtMs = nowMs;
    if (this.#isLeading) this.#post("heartbeat");
    else if (nowMs - this.#heardAtMs >= SILENCE_MS) this.#steal();
    this.#timer = this.#surroundings.setTimer(() => this.#tick(), HEARTBEAT_EVERY_MS);
  }

  #steal(): void {
    if (!this.#isLeading) this.#campaign?.steal();
  }

  #end(): void {
    this.#isLeading = false;
    this.#campaign = undefined;
    this.#surroundings.clearTimer(this.#timer);
    this.#surroundings.clearTimer(this.#patience);
  }

  #post(kind: "hello" | "heartbeat"): void {
    const message: HubMessage = {
      version: CONTRACT_VERSION,
      kind,
      from: this.#hubId,
      build: this.#surroundings.build,
    };
    this.#surroundings.channel.post(message);
  }
}
