export const SETTINGS_PAGES = ["appearance", "alerts", "reading", "storage", "devices", "about"] as const;

export type SettingsPageName = (typeof SETTINGS_PAGES)[number];
