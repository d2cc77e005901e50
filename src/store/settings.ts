import { COUNTERS_KEY } from "./counters";
import { isIntactSetting } from "./intact";
import type { Settings } from "./schema";

/** The settings until the user changes them. */
export const DEFAULT_SETTINGS: Readonly<Settings> = {
  keepDays: 30,
  keepMessages: 100_000,
  theme: "system",
  density: "comfortable",
  language: "system",
  markRead: "open",
  historyRead: false,
  alerts: true,
  alertRules: {},
  sounds: {},
  swipeLeft: "snooze",
  swipeRight: "done",
  singleKeys: true,
  allowedRemote: [],
  allowedRequests: [],
  groups: [],
  columns: [],
};

/** The stored settings over the defaults, which take the place of damaged ones too. */
export function settingsOf(keys: readonly string[], values: readonly unknown[]): Settings {
  const set = keys
    .map((key, at): [string, unknown] => [key, values[at]])
    .filter(([key, value]) => key !== COUNTERS_KEY && isIntactSetting(key, value));
  return { ...DEFAULT_SETTINGS, ...(Object.fromEntries(set) as Partial<Settings>) };
}
