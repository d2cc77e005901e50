import { doneMeanwhile } from "./prerender/first-screen";
import type { App } from "./state/app.svelte";
import { whenIdle } from "./state/when-idle";

/**
 * Loads and starts the background services when the page is idle or a key is pressed. Keys pressed before that are kept
 * and carried out in order with the clicks that came between them.
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
  // There is no network and the file isn't cached yet: try again once there is a network.
  else addEventListener("online", () => void loadBackgroundServices(app), { once: true });
}
