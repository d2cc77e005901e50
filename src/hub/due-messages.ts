import type { StoredMessage } from "../protocol";
import { changesEvent, type Announce } from "./changes-event";
import type { ServerClock } from "./server-clock";
import type { Environment, Timer } from "./environment";

/** The longest timer, ms: a device may sleep meanwhile, and very long timers fire at once. */
const MAX_TIMER_MS = 3_600_000;

/** What `DueMessages` needs of its connection. */
export interface DueContext {
  environment: Environment;
  serverId: number;
  serverClock: ServerClock;
  announce: Announce;
  alert(rows: StoredMessage[]): void;
  /** Only polls get through, so the server never says what its clock shows. */
  isPolled(): boolean;
}

/** Lets a server's scheduled messages enter the feed and raise alerts when they fall due (docs/design.md §4). */
export class DueMessages {
  readonly #here: DueContext;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(here: DueContext) {
    this.#here = here;
  }

  /** Lets in what is due, and plans for the next one. */
  async settle(): Promise<void> {
    const { environment, serverId, serverClock, announce, alert, isPolled } = this.#here;
    // The server's clock decides what is due; the device's clock is used only when nothing ever tells the server's
    // time.
    if (serverClock.estimate() === undefined && !isPolled()) return;
    const { store, now, clearTimer, setTimer } = environment;
    const settled = await store.settleDue({ serverId, serverNowS: serverClock.nowS, nowMs: now(), alerts: true });
    if (this.#isOver || !settled.ok) return;
    const event = changesEvent(settled.value);
    if (event) announce(event);
    if (settled.value.alerts.length > 0) alert(settled.value.alerts);
    clearTimer(this.#timer);
    if (settled.value.nextDueS === undefined) return;
    const delayMs = Math.min(Math.max((settled.value.nextDueS - serverClock.nowS) * 1_000, 1_000), MAX_TIMER_MS);
    this.#timer = setTimer(() => void this.settle(), delayMs);
  }

  stop(): void {
    this.#isOver = true;
    this.#here.environment.clearTimer(this.#timer);
  }
}
