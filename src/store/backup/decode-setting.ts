// Reads the settings of a backup. Consents given on one device (pictures that load, requests that are sent) aren't
// among them: a file must not agree in the user's place.
import {
  type BackupTopic,
  type Commands,
  decodeAlertRules,
  decodeKeepFiles,
  decodeSounds,
  FOREVER,
  MAX_COLUMNS,
  type Sounds,
  type SubscriptionPatch,
  type TopicGroup,
} from "../../contract";
import { isJsonObject } from "../../protocol";
import { isIntactSetting } from "../intact";
import type { Display, Settings, SubscriptionRecord } from "../schema";

/**
 * How a value may reach another device. `by-hand`: it may delete, silence or hide messages, so a file brings
 * it only if the user ticks it. `nothing`: it means something only here, or would agree in the user's place.
 */
type BroughtBy = "plain" | "by-hand" | "nothing";

/** Every setting, and all that users choose for a server or a topic; a missing one doesn't compile. */
export const BROUGHT_BY = {
  setting: {
    keepDays: "by-hand",
    keepMessages: "by-hand",
    theme: "plain",
    density: "plain",
    display: "plain",
    language: "plain",
    keepFiles: "by-hand",
    markRead: "by-hand",
    historyRead: "by-hand",
    alerts: "by-hand",
    alertRules: "by-hand",
    sounds: "by-hand",
    swipeLeft: "by-hand",
    swipeRight: "by-hand",
    singleKeys: "plain",
    allowedRemote: "nothing",
    allowedRequests: "nothing",
    groups: "plain",
    columns: "plain",
    host: "nothing",
  },
  // Headers are secret, so they are only passed on encrypted.
  server: { name: "plain", transport: "plain", headers: "nothing", move: "nothing" },
  topic: {
    ...({ server: "plain", topic: "plain", signIn: "plain" } as const),
    displayName: "plain",
    colour: "plain",
    icon: "plain",
    group: "plain",
    mutedUntilMs: "by-hand",
    minPriority: "by-hand",
    quietHours: "by-hand",
    // Capped at the present when read, so that they don't affect future messages.
    fromTime: "plain",
    readBefore: "plain",
    keepDays: "by-hand",
    keepMessages: "by-hand",
    keepFilesMb: "by-hand",
    showsRepeats: "plain",
    tellsRead: "by-hand",
    hides: "by-hand",
    sound: "by-hand",
  },
} as const satisfies {
  setting: Record<keyof Settings, BroughtBy>;
  server: Record<Exclude<keyof Commands["patchServer"]["input"], "serverId">, BroughtBy>;
  topic: Record<keyof SubscriptionPatch | Exclude<keyof BackupTopic, "kind">, BroughtBy>;
};

/** The settings that a backup holds. */
export type BackedUpSetting = {
  [Name in keyof Settings]-?: (typeof BROUGHT_BY.setting)[Name] extends "nothing" ? never : Name;
}[keyof Settings];

/** Splits a topic of a backup into what is imported only by hand and the rest. */
export function splitTopic<Topic extends BackupTopic | SubscriptionRecord>(
  topic: Topic,
): { plain: Topic; rules: Partial<BackupTopic> } {
  const entries = Object.entries(topic);
  const isRule = ([name]: [string, unknown]): boolean =>
    BROUGHT_BY.topic[name as keyof typeof BROUGHT_BY.topic] === "by-hand";
  return {
    plain: Object.fromEntries(entries.filter((entry) => !isRule(entry))) as unknown as Topic,
    rules: Object.fromEntries(entries.filter(isRule)),
  };
}

/** How many groups are read, at most: each topic of a backup may have its own. */
const MAX_GROUPS = 10_000;

/** The longest name or link in a setting, characters. */
const MAX_LETTERS = 16_000;

/** With text any smaller or larger, in percent, the setting couldn't be found again to undo it. */
const LEAST_TEXT_SIZE = 50;
const MAX_TEXT_SIZE = 300;

/** The value of a setting if it can be one, else undefined. */
type Decode<Value> = (value: unknown) => Value | undefined;

/** Settings of which only a part may be valid. The others are taken if they could be stored as they are. */
const DECODERS: { [Name in BackedUpSetting]?: Decode<Settings[Name]> } = {
  display: decodeDisplay,
  language: (value) => (typeof value === "string" && /^[a-z-]{2,35}$/i.test(value) ? value : undefined),
  keepFiles: (value) => (isJsonObject(value) ? decodeKeepFiles(value) : undefined),
  alertRules: (value) => (isJsonObject(value) ? decodeAlertRules(withoutEnd(value)) : undefined),
  sounds: soundsByPriority,
  groups: items(decodeGroup, MAX_GROUPS),
  columns: items(decodeColumn, MAX_COLUMNS),
};

export const BACKED_UP_SETTINGS = Object.entries(BROUGHT_BY.setting).flatMap(([name, by]) =>
  by === "nothing" ? [] : [name as BackedUpSetting],
);

/** Reads a setting of a backup; undefined = unknown setting or invalid value. */
export function decodeSetting(name: string, value: unknown): { name: BackedUpSetting; value: unknown } | undefined {
  const known = BACKED_UP_SETTINGS.find((one) => one === name);
  if (!known) return undefined;
  const decode: Decode<unknown> = DECODERS[known] ?? ((whole) => (isIntactSetting(known, whole) ? whole : undefined));
  const decoded = decode(value);
  return decoded === undefined ? undefined : { name: known, value: decoded };
}

/** JSON has no number for "without end". */
function withoutEnd(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, one === FOREVER ? Infinity : one]));
}

/** Sounds of single topics are in the topics' lines, because their numbers differ on another device. */
function soundsByPriority(value: unknown): Partial<Sounds> | undefined {
  if (!isJsonObject(value)) return undefined;
  const { topics: _, ...sounds } = decodeSounds(value);
  return Object.fromEntries(Object.entries(sounds).filter(([name]) => Object.hasOwn(value, name)));
}

function items<Item>(decode: Decode<Item>, most: number): Decode<Item[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > most) return undefined;
    const decoded = value.map(decode);
    return decoded.every((item) => item !== undefined) ? decoded : undefined;
  };
}

/** Reads the valid parts and leaves out the others. */
function decodeDisplay(value: unknown): Display | undefined {
  if (!isJsonObject(value)) return undefined;
  const { textSize, times }: Partial<Record<keyof Display, unknown>> = value;
  const isSize = typeof textSize === "number" && textSize >= LEAST_TEXT_SIZE && textSize <= MAX_TEXT_SIZE;
  return {
    ...(isSize && { textSize }),
    ...(times === "relative" && { times }),
  };
}

function decodeGroup(value: unknown): TopicGroup | undefined {
  const { name, collapsed }: Partial<Record<keyof TopicGroup, unknown>> = isJsonObject(value) ? value : {};
  if (typeof name !== "string" || name.trim() === "" || name.length > MAX_LETTERS || /\p{Surrogate}/u.test(name))
    return undefined;
  return { name, ...(collapsed === true && { collapsed }) };
}

function decodeColumn(value: unknown): Settings["columns"][number] | undefined {
  const { link, width }: { link?: unknown; width?: unknown } = isJsonObject(value) ? value : {};
  if (typeof link !== "string" || link.length > MAX_LETTERS) return undefined;
  return { link, ...(typeof width === "number" && width > 0 && width < 1_000 && { width }) };
}
