import type { Channel } from "../../src/hub";
import type { Schedule } from "./schedule";

/** The broadcast channel of one origin: everyone but the sender hears a message, each in a turn of its own. */
export class SimAir {
  readonly #schedule: Schedule;
  readonly #ends = new Map<object, { actor: string; listeners: Set<(message: unknown) => void> }>();

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  open(actor: string): Channel {
    const own = { actor, listeners: new Set<(message: unknown) => void>() };
    this.#ends.set(own, own);
    return {
      post: (message) => {
        for (const end of this.#ends.values()) {
          if (end === own) continue;
          const copy: unknown = structuredClone(message);
          this.#schedule.enqueue(end.actor, () => {
            for (const listener of [...end.listeners]) listener(copy);
          });
        }
      },
      listen(listener) {
        own.listeners.add(listener);
        return () => own.listeners.delete(listener);
      },
    };
  }

  forget(actor: string): void {
    for (const [key, end] of this.#ends) if (end.actor === actor) this.#ends.delete(key);
  }
}
