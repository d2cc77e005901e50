import { createSubscriber } from "svelte/reactivity";
import { LOOK_WITHIN_MS, onEachStep } from "./each-step";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** What asks for it is run again with each step of so many ms, and left alone in between. */
function eachStep(stepMs: number): () => void {
  return createSubscriber((update) => onEachStep(stepMs, update));
}

/** The device's clock as state: it ticks only while something on screen reads it, and no faster than that needs. */
export class Clock {
  #eachSecond = eachStep(SECOND_MS);
  #eachCalm = eachStep(LOOK_WITHIN_MS);
  #eachMinute = eachStep(MINUTE_MS);

  /** Ms, renewed every second: for counting down. */
  get nowMs(): number {
    this.#eachSecond();
    return Date.now();
  }

  /** Ms, renewed four times a minute: for what stands on the page all the time and tells of minutes that began at any second. */
  get calmMs(): number {
    this.#eachCalm();
    return Date.now();
  }

  /** Ms, whole minutes: for "4 min ago" and the turn of the day. */
  get minuteMs(): number {
    this.#eachMinute();
    return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  }
}
