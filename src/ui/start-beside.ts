import type { App } from "./state/app.svelte";
import { atRest } from "./state/at-rest";

/** Loads and starts what a page does beside showing messages, when it has nothing better to do. */
export async function startBeside(app: App): Promise<void> {
  await atRest();
  const loaded = await import("./beside").catch(() => undefined);
  if (loaded) loaded.beside(app);
  // No network, and not kept yet: once there is one.
  else addEventListener("online", () => void startBeside(app), { once: true });
}
