import { untrack } from "svelte";

/** Least time between two changes, ms. */
const REST_MS = 1_000;

/**
 * Throttles a value that is expensive to show outside the page: a new title makes the browser redraw its tabs, which
 * takes longer than showing a message. The first change shows at once; later ones wait out the rest of the time. Call
 * it in an effect.
 */
export function throttled<Value>(read: () => Value): () => Value {
  let shown = $state.raw(untrack(read));
  let restsUntilMs = 0;
  $effect(() => {
    const next = read();
    const timer = setTimeout(() => {
      if (next !== shown) restsUntilMs = performance.now() + REST_MS;
      shown = next;
    }, restsUntilMs - performance.now());
    return () => clearTimeout(timer);
  });
  return () => shown;
}
