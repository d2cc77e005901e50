// What the app's host may set in a `config.json` beside it (docs/hosting.md).
import { checkTopicName, guards, isJsonObject, readPushKey, type ServerAddress } from "../protocol";
import { serverAddressOf } from "./web-link";

/** Larger files aren't read; one that sets everything takes a few hundred bytes. */
export const MAX_CONFIG_BYTES = 65_536;

/** Longer names and lists wouldn't fit on a screen, so they are reported. */
const MAX_NAME_LENGTH = 40;
const MAX_ENTRIES = 50;

const SWIPES = ["none", "done", "read", "star", "snooze", "delete"] as const;

/** The settings that a host may set and lock, with their allowed values: one of these, or any of this type. */
export const SETTING_VALUES = {
  theme: ["system", "light", "dark"],
  density: ["comfortable", "compact"],
  language: "language",
  markRead: ["open", "seen", "never"],
  historyRead: "boolean",
  swipeLeft: SWIPES,
  swipeRight: SWIPES,
  singleKeys: "boolean",
  keepDays: "count",
  keepMessages: "count",
} as const;

type SettingValues = typeof SETTING_VALUES;
export type HostSettingName = keyof SettingValues;

export type HostSettings = {
  -readonly [Name in keyof SettingValues]?: SettingValues[Name] extends readonly (infer Value)[]
    ? Value
    : { language: string; boolean: boolean; count: number }[Extract<SettingValues[Name], string>];
};

/** Written in the file as `backups` or `ntfy.example.com/backups`. */
export interface OfferedTopic {
  server?: ServerAddress;
  topic: string;
}

/** The valid part of the file. */
export interface HostConfig {
  /** Replaces "Earshot" above the list of topics and in the window title. */
  name?: string;
  /** The server of topics without an address. */
  server?: ServerAddress;
  /** The accent, `#rrggbb`: only its hue and at most some of its saturation are used. */
  colour?: string;
  /** Topics offered at the first start; one without a server is on the default one. */
  topics: OfferedTopic[];
  /** The only servers on which topics can be added; absent = any. */
  allowedServers?: ServerAddress[];
  /** Push keys by server address, for servers that publish none (docs/protocol.md §15). */
  pushKeys?: Readonly<Record<string, string>>;
  settings: HostSettings;
  /** Settings that can't be changed here. */
  locked: HostSettingName[];
}

export type WantedValue =
  | "object"
  | "list"
  | "name"
  | "address"
  | "colour"
  | "topic"
  | "push-key"
  | "language"
  | "boolean"
  | "count"
  | "setting"
  | "fewer"
  | readonly string[];

/** Something in the file that can't be used. `at`: its place, such as `topics[1]`. */
export type ConfigProblem =
  | { kind: "too-long" }
  /** `text` is the browser's own wording, for the details. */
  | { kind: "not-json"; text: string }
  | { kind: "unknown"; at: string }
  /** `found`: what is there, shortened. */
  | { kind: "wrong"; at: string; wanted: WantedValue; found: string }
  /** An offered topic on a server where none may be added. */
  | { kind: "not-allowed"; at: string };

/** The host's file as last read, and its consequences. */
export interface HostRecord {
  config: HostConfig;
  problems: ConfigProblem[];
  /** The default server: that of the file, else of the page, else the app's own origin. */
  home: ServerAddress;
  /** The only servers on which topics can be added, `home` included; absent = any. */
  allowed?: ServerAddress[];
  /** Settings made here because of the file, so that they aren't made again over the user's choice. */
  applied: HostSettings;
  /** The user's choice before the host locked it, which returns when the lock goes. */
  own?: HostSettings;
}

export const NO_HOST_CONFIG: HostConfig = { topics: [], settings: {}, locked: [] };

const MAX_FOUND_LENGTH = 60;

/** A text as shown in an error. */
const shortened = (text: string): string =>
  text.length > MAX_FOUND_LENGTH ? `${text.slice(0, MAX_FOUND_LENGTH)}…` : text;

const isSetting = (name: unknown): name is HostSettingName =>
  typeof name === "string" && Object.hasOwn(SETTING_VALUES, name);

/** A name must hold no control characters, and none that change the direction of text. */
function nameOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > MAX_NAME_LENGTH || /[\p{Cc}\p{Cf}]/u.test(value)) return undefined;
  return value.trim() || undefined;
}

function colourOf(value: unknown): string | undefined {
  return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : undefined;
}

function offeredTopic(entry: unknown): OfferedTopic | undefined {
  if (typeof entry !== "string") return undefined;
  const slash = entry.lastIndexOf("/");
  const topic = entry.slice(slash + 1);
  if (!checkTopicName(topic).ok) return undefined;
  if (slash < 0) return { topic };
  const server = serverAddressOf(entry.slice(0, slash));
  return server === undefined ? undefined : { server, topic };
}

function pushKeyOf(entry: unknown): string | undefined {
  const key = typeof entry === "string" ? readPushKey({ web_push_public_key: entry.trim() }) : undefined;
  return key?.ok ? key.value : undefined;
}

const VALUE_TESTS = {
  language: (value: unknown) => guards.text(value) && /^(?:system|[a-z]{2,3}(?:-[\w-]{1,20})?)$/i.test(value),
  boolean: guards.flag,
  count: guards.count,
};

function isSettingValue(name: HostSettingName, value: unknown): boolean {
  const wanted = SETTING_VALUES[name];
  return typeof wanted === "string" ? VALUE_TESTS[wanted](value) : guards.only<unknown>(...wanted)(value);
}

/** How many problems are listed, at most. */
const MAX_PROBLEMS = 20;

/** Reads the host's file, leaving out its mistakes, which are listed. No config: the whole file is unreadable. */
export function readHostConfig(text: string): { config?: HostConfig; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const wrong = (at: string, wanted: WantedValue, found: unknown): undefined =>
    void problems.push({ kind: "wrong", at, wanted, found: shortened(JSON.stringify(found)) });
  const one = <Value>(at: string, value: unknown, wanted: WantedValue, read: (value: unknown) => Value | undefined) =>
    read(value) ?? wrong(at, wanted, value);
  /** The valid entries, each once. */
  const list = <Entry>(
    at: string,
    value: unknown,
    wanted: WantedValue,
    read: (value: unknown) => Entry | undefined,
  ) => {
    if (!Array.isArray(value)) return wrong(at, "list", value) ?? [];
    if (value.length > MAX_ENTRIES) wrong(at, "fewer", value.length);
    const entries = (value as unknown[])
      .slice(0, MAX_ENTRIES)
      .flatMap((entry, index) => one(`${at}[${String(index)}]`, entry, wanted, read) ?? []);
    return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
  };
  const readers: { readonly [Name in keyof HostConfig]-?: (value: unknown) => HostConfig[Name] | undefined } = {
    name: (value) => one("name", value, "name", nameOf),
    server: (value) => one("server", value, "address", serverAddressOf),
    colour: (value) => one("colour", value, "colour", colourOf),
    topics: (value) => list("topics", value, "topic", offeredTopic),
    // If the list is unreadable, only the default server remains: a mistake must not open what the host wanted closed.
    allowedServers: (value) => list("allowedServers", value, "address", serverAddressOf),
    pushKeys(value) {
      if (!isJsonObject(value)) return wrong("pushKeys", "object", value);
      const all = Object.entries(value);
      if (all.length > MAX_ENTRIES) wrong("pushKeys", "fewer", all.length);
      const taken = all.slice(0, MAX_ENTRIES).flatMap(([name, entry]) => {
        const at = `pushKeys.${shortened(name)}`;
        const address = one(at, name, "address", serverAddressOf);
        const key = address === undefined ? undefined : one(at, entry, "push-key", pushKeyOf);
        return address === undefined || key === undefined ? [] : [[address, key] as const];
      });
      return taken.length > 0 ? Object.fromEntries(taken) : undefined;
    },
    settings(value) {
      if (!isJsonObject(value)) return wrong("settings", "object", value);
      const taken = Object.entries(value).filter(([name, set]) => {
        const at = `settings.${shortened(name)}`;
        if (!isSetting(name)) problems.push({ kind: "unknown", at });
        else if (isSettingValue(name, set)) return true;
        else wrong(at, SETTING_VALUES[name], set);
        return false;
      });
      return Object.fromEntries(taken);
    },
    locked: (value) => list("locked", value, "setting", (entry) => (isSetting(entry) ? entry : undefined)),
  };
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    return { problems: [{ kind: "not-json", text: error instanceof Error ? error.message : "" }] };
  }
  if (!isJsonObject(file)) {
    wrong("", "object", file);
    return { problems };
  }
  const config: HostConfig = { topics: [], settings: {}, locked: [] };
  for (const [name, value] of Object.entries(file)) {
    const read = Object.hasOwn(readers, name) ? readers[name as keyof HostConfig](value) : undefined;
    if (read !== undefined) Object.assign(config, { [name]: read });
    else if (!Object.hasOwn(readers, name)) problems.push({ kind: "unknown", at: shortened(name) });
  }
  const { server: home, allowedServers, topics } = config;
  if (allowedServers) {
    config.topics = topics.filter(({ server }, at) => {
      const isAllowed = server === undefined || server === home || allowedServers.includes(server);
      if (!isAllowed) problems.push({ kind: "not-allowed", at: `topics[${String(at)}]` });
      return isAllowed;
    });
  }
  return { config, problems: problems.slice(0, MAX_PROBLEMS) };
}
