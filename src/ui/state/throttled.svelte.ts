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
  let changedAtMs = -Infinity;
  $effect(() => {
    const next = read();
    if (next === untrack(() => shown)) return;
    const show = (): void => {
      changedAtMs = performance.now();
      shown = next;
    };
    const restMs = changedAtMs + REST_MS - performance.now();
    if (restMs <= 0) return show();
    const timer = setTimeout(show, restMs);
    return () => clearTimeout(timer);
  });
  return () => shown;
}
