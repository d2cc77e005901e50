import { untrack } from "svelte";

/** From one change to the next at least, ms. */
const REST_MS = 1_000;

/**
 * A value that outside the page is dear to show: a new title has the browser draw its tabs anew, which takes longer than
 * showing a message. The first change counts at once, what follows it soon after a rest. Called within an effect.
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
