import { type Settings, EMPTY_CATALOGUE } from "../../client";
import type { App } from "../state/app.svelte";
import { KEEP_FILES_OFF } from "../../contract";
import { settingsStrings } from "../strings";
import type { SettingsPageName } from "./setting-place";

/** The settings of each page that can be reset at once. What topics were allowed is revoked one by one. */
const RESETTABLE: Record<SettingsPageName, readonly (keyof Settings)[]> = {
  appearance: ["theme", "density", "display"],
  alerts: ["alertRules", "sounds"],
  reading: ["markRead", "historyRead", "swipeLeft", "swipeRight", "singleKeys"],
  storage: ["keepDays", "keepMessages", "keepFiles"],
  devices: [],
  about: [],
};

const DEFAULTS: Settings = { ...EMPTY_CATALOGUE.settings, display: {}, keepFiles: KEEP_FILES_OFF };

/** The settings of a page that differ from their defaults and can be reset. */
export function changedIn(page: SettingsPageName, settings: Settings): (keyof Settings)[] {
  // What the app's host has locked stays as it is.
  const locked: readonly string[] = settings.host?.config.locked ?? [];
  return RESETTABLE[page].filter(
    (key) => !locked.includes(key) && JSON.stringify(settings[key] ?? DEFAULTS[key]) !== JSON.stringify(DEFAULTS[key]),
  );
}

export async function resetPage(app: App, page: SettingsPageName): Promise<void> {
  const { settings } = app.catalogue;
  const keys = changedIn(page, settings);
  const these = (of: Settings): Partial<Settings> => Object.fromEntries(keys.map((key) => [key, of[key]]));
  if (!(await app.setSettings(these(DEFAULTS)))) return;
  app.notices.show({
    text: settingsStrings.reset.done({ section: settingsStrings.pages[page] }),
    undo: () => void app.setSettings(these(settings)),
  });
}
