/** The pages of the settings, in order. */
export const SETTINGS_PAGES = ["appearance", "alerts", "reading", "storage", "devices", "about"] as const;

export type SettingsPageName = (typeof SETTINGS_PAGES)[number];

/** Settings and other parts of their pages that can be found by name, in order. */
export const SETTING_PLACES = [
  "theme",
  "density",
  "textSize",
  "times",
  "language",
  "alerts",
  "quietHours",
  "repeatUrgent",
  "sounds",
  "outages",
  "markRead",
  "historyRead",
  "swipeRight",
  "swipeLeft",
  "singleKeys",
  "allowedRemote",
  "allowedRequests",
  "keepDays",
  "keepMessages",
  "prune",
  "keepFiles",
  "keepFilesAll",
  "storage",
  "install",
  "backup",
  "about",
] as const;

export type SettingPlace = (typeof SETTING_PLACES)[number];
