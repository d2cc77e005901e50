import { createSubscriber } from "svelte/reactivity";

const SECOND_MS = 1000;
const FEW_SECONDS_MS = 5 * SECOND_MS;
const MINUTE_MS = 60 * SECOND_MS;

/** Tells of each new step of so many ms while something on screen asks; what asks is left alone in between. */
function eachStep(stepMs: number): () => void {
  const stepNow = (): number => Math.floor(Date.now() / stepMs);
  return createSubscriber((update) => {
    let told = stepNow();
    const look = (): void => {
      if (stepNow() === told) return;
      told = stepNow();
      update();
    };
    // Not one timer up to the next step: while a device sleeps, timers stand still.
    const timer = setInterval(look, Math.min(stepMs, FEW_SECONDS_MS));
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  });
}

/** The device's clock as state: it ticks only while something on screen reads it, and no faster than that needs. */
export class Clock {
  #eachSecond = eachStep(SECOND_MS);
  #eachFewSeconds = eachStep(FEW_SECONDS_MS);
  #eachMinute = eachStep(MINUTE_MS);

  /** Ms, renewed every second: for counting down. */
  get nowMs(): number {
    this.#eachSecond();
    return Date.now();
  }

  /** Ms, renewed every few seconds: for "12 s ago" that stands on the page all the time, where each change is a frame. */
  get calmMs(): number {
    this.#eachFewSeconds();
    return Date.now();
  }

  /** Ms, whole minutes: for "4 min ago" and the turn of the day. */
  get minuteMs(): number {
    this.#eachMinute();
    return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  }
}
