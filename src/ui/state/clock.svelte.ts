import { createSubscriber } from "svelte/reactivity";
import { LOOK_WITHIN_MS, onEachStep } from "./each-step";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Returns a function that makes the effect which calls it run again at each step of `stepMs`, and not in between. */
function eachStep(stepMs: number): () => void {
  return createSubscriber((update) => onEachStep(stepMs, update));
}

/**
 * The device's clock as reactive state. It ticks only while something on screen reads it, and no faster than needed.
 */
export class ReactiveClock {
  #eachSecond = eachStep(SECOND_MS);
  #eachCalm = eachStep(LOOK_WITHIN_MS);
  #eachMinute = eachStep(MINUTE_MS);

  /** Ms, updated every second, for countdowns. */
  get nowMs(): number {
    this.#eachSecond();
    return Date.now();
  }

  /** Ms, updated four times a minute, for texts that are always on the page and count minutes from any second. */
  get calmMs(): number {
    this.#eachCalm();
    return Date.now();
  }

  /** Ms, in whole minutes, for "4 min ago" and the change of the day. */
  get minuteMs(): number {
    this.#eachMinute();
    return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  }
}
