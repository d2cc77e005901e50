import { doneMeanwhile, type Meanwhile } from "./prerender/first-screen";
import { shellWanted } from "./state/shell-wanted";
import type { App } from "./state/app.svelte";
import { whenIdle } from "./state/when-idle";

/** After a load failed, the next one follows after this, ms, then after twice as long each time, up to a minute. */
const RETRY_AFTER_MS = 2_000;
const MAX_RETRY_AFTER_MS = 60_000;

/** After a failed load, what was pressed longer ago than this, ms, isn't carried out: the page may show other rows now. */
const KEPT_FOR_MS = 10_000;

/** The part of the background services that starts them. */
type Services = Pick<typeof import("./background-services"), "startBackgroundServices">;

/**
 * Loads and starts the background services when the page is idle and needs them, or a key is pressed. Keys pressed before that are kept
 * and carried out in order with the clicks that came between them.
 */
export async function loadBackgroundServices(
  app: App,
  load: () => Promise<Services> = () => import("./background-services"),
  needed: Promise<unknown> = shellWanted,
): Promise<void> {
  const startMs = performance.now();
  let pressed = doneMeanwhile();
  let wake: () => void = () => undefined;
  const key = new Promise<void>((resolve) => (wake = resolve));
  const listener = (event: KeyboardEvent): void => {
    pressed.push(event);
    wake();
  };
  addEventListener("keydown", listener);
  if (pressed.length === 0) await Promise.race([needed.then(whenIdle), key]);
  for (let delayMs = RETRY_AFTER_MS; ; delayMs = Math.min(2 * delayMs, MAX_RETRY_AFTER_MS)) {
    const loaded = await load().catch(() => undefined);
    if (loaded) {
      removeEventListener("keydown", listener);
      return loaded.startBackgroundServices(app, pressed);
    }
    await onlineOr(delayMs);
    const fromMs = performance.now() - KEPT_FOR_MS;
    const atMs = (done: Meanwhile): number => (typeof done === "function" ? startMs : done.timeStamp);
    pressed = pressed.filter((done) => atMs(done) > fromMs);
  }
}

/** Resolves when there is a network again, or after `delayMs`: the network may be there, and only the host gone. */
function onlineOr(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    addEventListener("online", end);
  });
}
