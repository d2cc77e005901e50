import { createSubscriber } from "svelte/reactivity";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** The device's clock as state: it ticks only while something on screen reads it. */
export class Clock {
  #eachSecond = createSubscriber((update) => {
    const timer = setInterval(update, SECOND_MS);
    return () => clearInterval(timer);
  });
  #minute = $derived(Math.floor(this.nowMs / MINUTE_MS) * MINUTE_MS);

  /** Ms, renewed every second: for counting down. */
  get nowMs(): number {
    this.#eachSecond();
    return Date.now();
  }

  /** Ms, whole minutes: for "4 min ago" and the turn of the day, without work every second. */
  get minuteMs(): number {
    return this.#minute;
  }
}
