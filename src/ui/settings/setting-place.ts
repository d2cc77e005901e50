/** Settings, and other things of the settings page, that one can go to by name, in the order of the page. */
export const SETTING_PLACES = [
  "theme",
  "density",
  "language",
  "alerts",
  "repeatUrgent",
  "quietHours",
  "sounds",
  "markRead",
  "historyRead",
  "allowedRemote",
  "allowedRequests",
  "swipeRight",
  "swipeLeft",
  "singleKeys",
  "keepDays",
  "keepMessages",
  "prune",
  "install",
  "storage",
  "backup",
  "about",
] as const;

export type SettingPlace = (typeof SETTING_PLACES)[number];
