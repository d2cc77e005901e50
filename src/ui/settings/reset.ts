import { type Settings, EMPTY_CATALOGUE } from "../../client";
import type { App } from "../state/app.svelte";
import { KEEP_FILES_OFF } from "../../contract";
import { setSetting } from "../state/set-setting";
import { settingsStrings } from "../strings";

/** The settings of each section that can be reset at once. What topics were allowed is revoked one by one. */
export const SECTION_SETTINGS = {
  appearance: ["theme", "density", "display"],
  alerts: ["alertRules", "sounds"],
  reading: ["markRead", "historyRead"],
  swipe: ["swipeLeft", "swipeRight"],
  keys: ["singleKeys"],
  keeping: ["keepDays", "keepMessages", "keepFiles"],
} as const satisfies Record<string, (keyof Settings)[]>;

export type ResettableSection = keyof typeof SECTION_SETTINGS;

const DEFAULTS: Settings = { ...EMPTY_CATALOGUE.settings, display: {}, keepFiles: KEEP_FILES_OFF };

/** The settings of a section that differ from their defaults and can be reset. */
export function changedIn(section: ResettableSection, settings: Settings): (keyof Settings)[] {
  // What the app's host has locked stays as it is.
  const locked: readonly string[] = settings.host?.config.locked ?? [];
  return SECTION_SETTINGS[section].filter(
    (key) => !locked.includes(key) && JSON.stringify(settings[key] ?? DEFAULTS[key]) !== JSON.stringify(DEFAULTS[key]),
  );
}

/** Resets a section's settings to their defaults, with an Undo. */
export async function resetSection(app: App, section: ResettableSection, heading: string): Promise<void> {
  const { settings } = app.catalogue;
  const keys = changedIn(section, settings);
  await setAll(app, keys, DEFAULTS);
  app.notices.show({
    text: settingsStrings.reset.done({ section: heading }),
    undo: () => void setAll(app, keys, settings),
  });
}

async function setAll(app: App, keys: readonly (keyof Settings)[], values: Readonly<Settings>): Promise<void> {
  for (const key of keys) await setSetting(app, key, values[key]);
}
