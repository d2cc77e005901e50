// The value of a setting, or of a topic's field, in words. It is already decoded.
import type { Display, Settings, SubscriptionRecord } from "../../client";
import { decodeAlertRules, decodeKeepFiles, decodeSounds, isMuted, type SoundChoice } from "../../contract";
import { quietHoursText } from "../alerts/quiet-hours";
import {
  alertRuleStrings,
  appStrings,
  backupStrings,
  bytes,
  count,
  list,
  settingsStrings,
  topicStrings,
} from "../strings";
import { allMutedText, mutedText, outageAfterText } from "../alerts/mute";

type Named = Settings &
  Pick<SubscriptionRecord, "mutedUntilMs" | "minPriority" | "quietHours" | "keepFilesMb" | "hides" | "tellsRead"> & {
    sound: SoundChoice;
  };

const MB = 1_000_000;

/** The value in words; device clock, ms. */
export function settingText(name: string, value: unknown, nowMs: number): string {
  const write = TEXTS[name as keyof Named] as ((value: unknown, nowMs: number) => string) | undefined;
  return value === undefined ? backupStrings.notSet : (write?.(value, nowMs) ?? JSON.stringify(value));
}

const onOff = (on: boolean): string => settingsStrings.singleKeysChoices[on ? "on" : "off"];

const soundText = (choice: SoundChoice): string =>
  choice === "none" ? alertRuleStrings.sounds.none : alertRuleStrings.sounds.names[choice];

const swipeText = (action: Settings["swipeLeft"]): string => settingsStrings.swipes.actions[action];

const TEXTS: { [Name in keyof Named]?: (value: NonNullable<Named[Name]>, nowMs: number) => string } = {
  keepDays: (days) => (days === 0 ? topicStrings.settings.keepEver : topicStrings.settings.keepDays({ count: days })),
  keepMessages: (most) => (most === 0 ? backupStrings.noLimit : appStrings.common.messages({ count: most })),
  theme: (theme) => settingsStrings.themes[theme],
  density: (density) => settingsStrings.densities[density],
  display: ({ textSize = 100, times }: Display) =>
    list([`${count(textSize)} %`, settingsStrings.display.times[times ?? "absolute"]]),
  language: (language) => (language === "system" ? settingsStrings.asBrowser : language),
  keepFiles: (value) => filesText(decodeKeepFiles(value).eachMb),
  keepFilesMb: (most) => filesText(most),
  markRead: (choice) => settingsStrings.markReads[choice],
  historyRead: (isRead) => settingsStrings.historyReadChoices[isRead ? "read" : "unread"],
  alerts: onOff,
  singleKeys: onOff,
  alertRules: (value, nowMs) => {
    const { mutedUntilMs, repeatUrgent, quietHours, outageAfterMin } = decodeAlertRules(value);
    const { repeat, quiet, outage } = alertRuleStrings;
    return list([
      ...(isMuted(mutedUntilMs, nowMs) ? [allMutedText(mutedUntilMs, nowMs)] : []),
      `${quiet.heading}: ${quietHoursText(quietHours, nowMs)}`,
      `${repeat.label}: ${onOff(repeatUrgent === true)}`,
      `${outage.label}: ${outageAfterMin === undefined ? outage.off : outageAfterText(outageAfterMin)}`,
    ]);
  },
  sounds: (value) => {
    const sounds = decodeSounds(value);
    const parts = ["urgent", "high", "others"] as const;
    return list(parts.map((part) => `${alertRuleStrings.sounds.of[part]}: ${soundText(sounds[part])}`));
  },
  sound: soundText,
  swipeLeft: swipeText,
  swipeRight: swipeText,
  groups: (groups) => (groups.length === 0 ? backupStrings.notSet : list(groups.map(({ name }) => name))),
  columns: (columns) => count(columns.length),
  mutedUntilMs: mutedText,
  minPriority: (least) => count(least),
  hides: (rules) => list(rules),
  tellsRead: () => onOff(true),
  quietHours: (hours, nowMs) => quietHoursText(hours, nowMs),
};

function filesText(most: number): string {
  return most === 0 ? settingsStrings.files.off : settingsStrings.files.upTo({ size: bytes(most * MB) });
}
