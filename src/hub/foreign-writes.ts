import type { HubMessage } from "./hub-message";
import type { Clock, Timer } from "./environment";

/** One that says for this long, ms, neither that it writes still nor that it is done has ended. */
const ENDED_AFTER_MS = 10_000;

/**
 * What hubs that do not lead write. A hub that ends between storing and telling leaves tabs that know nothing of it: for one
 * that led, the next leader speaks; for a follower, whoever leads does, as each says before it writes and after it has told.
 */
export class ForeignWrites {
  readonly #clock: Clock;
  readonly #lost: () => void;
  /** By hub and number. */
  readonly #open = new Map<string, Timer>();

  /** @param lost a hub has ended that had begun to write */
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
