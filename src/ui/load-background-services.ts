import { doneMeanwhile } from "./prerender/first-screen";
import type { App } from "./state/app.svelte";
import { whenIdle } from "./state/when-idle";

/**
 * Loads and starts what a page does beside showing messages, when it has nothing better to do or a key is pressed. Keys
 * until then are kept and carried out, in turn with presses that came between them.
 */
export async function loadBackgroundServices(app: App): Promise<void> {
  const pressed = doneMeanwhile();
  let listener: (event: KeyboardEvent) => void = () => undefined;
  const key = new Promise<void>((resolve) => {
    listener = (event) => {
      pressed.push(event);
      resolve();
    };
  });
  addEventListener("keydown", listener);
  if (pressed.length === 0) await Promise.race([whenIdle(), key]);
  const loaded = await import("./background-services").catch(() => undefined);
  removeEventListener("keydown", listener);
  if (loaded) loaded.startBackgroundServices(app, pressed);
  // No network, and not kept yet: once there is one.
  else addEventListener("online", () => void loadBackgroundServices(app), { once: true });
}
