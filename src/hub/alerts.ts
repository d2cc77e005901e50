import type { StoredMessage } from "../store";
import type { Announcement } from "./changes-event";
import type { Clock } from "./surroundings";

/** A tab that lives confirms well within this, ms; a frozen one does not answer. */
const CONFIRM_WITHIN_MS = 3_000;

/** A tab that alerts can be handed to. */
export interface AlertTaker {
  post(event: Announcement): void;
}

/**
 * Hands each alert to one live tab at a time until one confirms that it shows the notification (DESIGN, section 3). The
 * ingest transaction has claimed the alert before, so that it is handed out once, whatever happens here.
 */
export class Alerts {
  readonly #clock: Clock;
  readonly #takers: () => AlertTaker[];
  readonly #toAll: (event: Announcement) => void;
  readonly #open = new Map<number, () => void>();
  #nextId = 1;

  /**
   * @param takers live tabs of this hub, most recently heard first
   * @param toAll tells the tabs of all hubs, when none here took it: notifications of one message share a tag
   */
  constructor(clock: Clock, takers: () => AlertTaker[], toAll: (event: Announcement) => void) {
    this.#clock = clock;
    this.#takers = takers;
    this.#toAll = toAll;
  }

  offer(rows: StoredMessage[]): void {
    const event: Announcement = { kind: "alert", alertId: this.#nextId++, rows };
    this.#offerTo(this.#takers(), event);
  }

  /** Whether the alert was still open. */
  confirm(alertId: number): boolean {
    const settle = this.#open.get(alertId);
    settle?.();
    return settle !== undefined;
  }

  #offerTo([taker, ...others]: AlertTaker[], event: Announcement & { kind: "alert" }): void {
    if (!taker) {
      this.#toAll(event);
      return;
    }
    const timer = this.#clock.setTimer(() => {
      this.#open.delete(event.alertId);
      this.#offerTo(others, event);
    }, CONFIRM_WITHIN_MS);
    this.#open.set(event.alertId, () => {
      this.#open.delete(event.alertId);
      this.#clock.clearTimer(timer);
    });
    taker.post(event);
  }
}
