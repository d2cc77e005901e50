import type { Settings } from "../../client";
import type { App } from "./app.svelte";

/** Stores a setting. Returns whether it was stored; a failure is shown as a notice. */
export async function setSetting<K extends keyof Settings>(app: App, key: K, value: Settings[K]): Promise<boolean> {
  const { catalogue } = app;
  catalogue.applyOptimistically({ settings: { ...catalogue.settings, [key]: value } });
  const isStored = (await app.attempt("setSetting", { key, value })) !== undefined;
  if (!isStored) await catalogue.readAgain();
  return isStored;
}

/** Stores some settings, one after the other. */
export async function setSettings(app: App, changes: Partial<Settings>): Promise<void> {
  for (const [key, value] of Object.entries(changes)) await setSetting(app, key as keyof Settings, value);
}
