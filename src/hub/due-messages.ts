import { changesEvent } from "./changes-event";
import type { Timer } from "./environment";
import type { ServerContext } from "./server-context";
import type { StreamPool } from "./stream-pool";

/** The longest timer, ms: a device may sleep meanwhile, and very long timers fire at once. */
const MAX_TIMER_MS = 3_600_000;

/** What couldn't be stored is tried again after this, seconds. */
const AGAIN_AFTER_S = 60;

/** Lets a server's scheduled messages enter the feed and raise alerts when they fall due (docs/design.md §4). */
export class DueMessages {
  readonly #here: ServerContext;
  readonly #streams: StreamPool;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(here: ServerContext, streams: StreamPool) {
    this.#here = here;
    this.#streams = streams;
  }

  /** Lets in what is due, and plans for the next one. */
  async settle(): Promise<void> {
    const { environment, serverId, serverClock, hub } = this.#here;
    // The server's clock decides what is due; the device's clock is used only when nothing ever tells the server's
    // time.
    if (serverClock.estimate() === undefined && !this.#streams.isPolled) return;
    const { store, now, clearTimer, setTimer } = environment;
    const settled = await store.settleDue({ serverId, serverNowS: serverClock.nowS, nowMs: now(), alerts: true });
    if (this.#isOver) return;
    let nextDueS: number | undefined = serverClock.nowS + AGAIN_AFTER_S;
    if (settled.ok) {
      const event = changesEvent(settled.value);
      if (event) hub.announce(event);
      if (settled.value.alerts.length > 0) hub.alert(settled.value.alerts);
      nextDueS = settled.value.nextDueS;
    }
    clearTimer(this.#timer);
    if (nextDueS === undefined) return;
    const delayMs = Math.min(Math.max((nextDueS - serverClock.nowS) * 1_000, 1_000), MAX_TIMER_MS);
    this.#timer = setTimer(() => void this.settle(), delayMs);
  }

  stop(): void {
    this.#isOver = true;
    this.#here.environment.clearTimer(this.#timer);
  }
}
