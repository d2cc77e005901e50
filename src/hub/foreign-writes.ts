import type { HubMessage } from "./hub-message";
import type { Clock, Timer } from "./environment";

/** A hub that for this long, ms, says neither that it still writes nor that it is done has ended. */
const ENDED_AFTER_MS = 10_000;

/**
 * Watches the writes of hubs that don't lead. When a hub ends after storing but before telling, the tabs miss a change.
 * After a leader's end the next leader announces it; after a follower's, the current leader does. For this, each
 * follower says when it begins to write and when it has told.
 */
export class ForeignWrites {
  readonly #clock: Clock;
  readonly #lost: () => void;
  /** By hub id and number of the write. */
  readonly #open = new Map<string, Timer>();

  /** @param lost called when a hub ended that had begun to write */
  constructor(clock: Clock, lost: () => void) {
    this.#clock = clock;
    this.#lost = lost;
  }

  hear({ kind, from, id }: HubMessage & { kind: "writing" | "written" }): void {
    const name = `${from} ${id}`;
    this.#clock.clearTimer(this.#open.get(name));
    this.#open.delete(name);
    if (kind === "written") return;
    const timer = this.#clock.setTimer(() => {
      this.#open.delete(name);
      this.#lost();
    }, ENDED_AFTER_MS);
    this.#open.set(name, timer);
  }
}
