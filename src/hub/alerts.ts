import type { Failure } from "../protocol";
import type { StoredMessage } from "../store";
import type { Announcement } from "./changes-event";
import type { Clock } from "./surroundings";
import type { AlertTaker } from "./tabs";

/** A tab that lives confirms well within this, ms; a frozen one does not answer. */
const CONFIRM_WITHIN_MS = 3_000;

/** Of a server that stopped receiving, all of it or some topics. */
export interface Notice {
  serverId: number;
  why: Failure;
  /** Topics that it is about. */
  topics: string[];
}

/** What only a tab that can show notifications is told. */
export type Alert = Announcement & { kind: "alert" | "notice" };

/**
 * Hands each alert to one tab at a time until one confirms that it shows the notification (DESIGN, section 3). The
 * ingest transaction has claimed the alert before, so that it is handed out once, whatever happens here.
 */
export class Alerts {
  readonly #clock: Clock;
  readonly #takers: () => AlertTaker[];
  readonly #toOthers: (alert: Alert) => void;
  readonly #open = new Map<number, () => void>();
  #nextId = 1;

  /**
   * @param takers tabs of this hub that can show notifications, the likeliest first
   * @param toOthers tells the other hubs, when no tab here took it: notifications of one message share a tag
   */
  constructor(clock: Clock, takers: () => AlertTaker[], toOthers: (alert: Alert) => void) {
    this.#clock = clock;
    this.#takers = takers;
    this.#toOthers = toOthers;
  }

  offer(rows: StoredMessage[]): void {
    this.#offerTo(this.#takers(), { kind: "alert", alertId: this.#nextId++, rows }, this.#toOthers);
  }

  offerNotice(notice: Notice): void {
    this.#offerTo(this.#takers(), { kind: "notice", alertId: this.#nextId++, ...notice }, this.#toOthers);
  }

  /** Takes over what no tab of another hub took. */
  offerForeign(alert: Alert): void {
    this.#offerTo(this.#takers(), { ...alert, alertId: this.#nextId++ }, () => undefined);
  }

  /** Whether the alert was still open. */
  confirm(alertId: number): boolean {
    const settle = this.#open.get(alertId);
    settle?.();
    return settle !== undefined;
  }

  #offerTo([taker, ...others]: AlertTaker[], alert: Alert, give: (alert: Alert) => void): void {
    if (!taker) {
      give(alert);
      return;
    }
    const timer = this.#clock.setTimer(() => {
      this.#open.delete(alert.alertId);
      taker.missed();
      this.#offerTo(others, alert, give);
    }, CONFIRM_WITHIN_MS);
    this.#open.set(alert.alertId, () => {
      this.#open.delete(alert.alertId);
      this.#clock.clearTimer(timer);
    });
    taker.post(alert);
  }
}
