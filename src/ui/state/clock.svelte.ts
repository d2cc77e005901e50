import { createSubscriber } from "svelte/reactivity";

const SECOND_MS = 1000;

/** The clock is checked at least this often, ms, because timers don't run while a device sleeps. */
export const LOOK_WITHIN_MS = 15 * SECOND_MS;

/** Calls `tell` at each step of `stepMs` while the page is visible, and on its return. Returns what stops it. */
export function onEachStep(stepMs: number, tell: () => void): () => void {
  const stepNow = (): number => Math.floor(Date.now() / stepMs);
  let told = stepNow();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    const leftMs = Math.min(stepMs - (Date.now() % stepMs), LOOK_WITHIN_MS);
    if (document.visibilityState === "visible") timer = setTimeout(look, leftMs);
    if (stepNow() === told) return;
    told = stepNow();
    tell();
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

const MINUTE_MS = 60 * SECOND_MS;

/** With less than this left, ms, countdowns show seconds. */
const SOON_MS = 2 * MINUTE_MS;

/** The device's clock as reactive state. It ticks only while something on screen reads it, no faster than needed. */
export class ReactiveClock {
  #eachSecond = createSubscriber((update) => onEachStep(SECOND_MS, update));
  #eachMinute = createSubscriber((update) => onEachStep(MINUTE_MS, update));

  /** Ms, updated every second, for countdowns. */
  get nowMs(): number {
    this.#eachSecond();
    return Date.now();
  }

  /** Ms, in whole minutes, for "4 min ago" and the change of the day. */
  get minuteMs(): number {
    this.#eachMinute();
    return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  }

  /** Ms, for a countdown that has so much left by `minuteMs`: updated every second near its end, else every minute. */
  near(leftMs: number): number {
    return leftMs > 0 && leftMs < SOON_MS ? this.nowMs : this.minuteMs;
  }

  /** How long it is until then, ms, for a countdown; 0 = it is over. */
  until(ms: number): number {
    return Math.max(0, ms - this.near(ms - this.minuteMs));
  }
}
