import { CONTRACT_VERSION, type Commands } from "../contract";
import type { HubCommand, HubMessage } from "./hub-message";
import type { Environment, Timer } from "./environment";

/** How long to wait for the leader, ms. It takes up a command at once; the longest is a refresh over a slow network. */
const ANSWER_WITHIN_MS = 120_000;

/** Relays commands that only the leader can carry out, over the broadcast channel. */
export class Relay {
  readonly #environment: Environment;
  readonly #hubId: string;
  readonly #waiting = new Map<number, { resolve: (output: unknown) => void; timer: Timer }>();
  #nextId = 1;

  constructor(environment: Environment, hubId: string) {
    this.#environment = environment;
    this.#hubId = hubId;
  }

  /** The leader's answer; undefined when none came in time. */
  ask<Name extends HubCommand>(
    name: Name,
    input: Commands[Name]["input"],
    withinMs = ANSWER_WITHIN_MS,
  ): Promise<Commands[Name]["output"] | undefined> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = this.#environment.setTimer(() => this.#settle(id, undefined), withinMs);
      this.#waiting.set(id, { resolve: resolve as (output: unknown) => void, timer });
      this.#post({ version: CONTRACT_VERSION, kind: "relay", from: this.#hubId, id, name, input });
    });
  }

  /** Sends the leader's answer back to the hub that asked. */
  answer(to: string, id: number, output: unknown): void {
    this.#post({ version: CONTRACT_VERSION, kind: "relayed", to, id, output });
  }

  /** Takes in answers from the leader. */
  hear(message: HubMessage): void {
    if (message.kind === "relayed" && message.to === this.#hubId) this.#settle(message.id, message.output);
  }

  #settle(id: number, output: unknown): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    this.#environment.clearTimer(waiting.timer);
    waiting.resolve(output);
  }

  #post(message: HubMessage): void {
    this.#environment.channel.post(message);
  }
}
