// What the host of the app may set in a `config.json` beside it (docs/hosting.md).
import { checkTopicName, parseServerAddress, readPushKey, type ServerAddress } from "../protocol";

/** Larger files aren't read; one that sets everything has a few hundred bytes. */
export const MAX_CONFIG_BYTES = 65_536;

/** Longer names and lists wouldn't fit on a screen, so they are problems. */
const MAX_NAME_LENGTH = 40;
const MAX_ENTRIES = 50;

/** The settings a host may set and lock, with their own types. */
export interface HostSettings {
  theme?: "system" | "light" | "dark";
  density?: "comfortable" | "compact";
  language?: string;
  markRead?: "open" | "seen" | "never";
  historyRead?: boolean;
  swipeLeft?: "none" | "done" | "read" | "star" | "snooze" | "delete";
  swipeRight?: "none" | "done" | "read" | "star" | "snooze" | "delete";
  singleKeys?: boolean;
  keepDays?: number;
  keepMessages?: number;
}

export type HostSettingName = keyof HostSettings;

const SWIPES = ["none", "done", "read", "star", "snooze", "delete"] as const;

/** The allowed values of each setting: one of these, or any of this type. */
const SETTING_VALUES: Readonly<Record<HostSettingName, readonly string[] | "language" | "boolean" | "count">> = {
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

/** What a value in the file should be. */
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
  /** The name is unknown. */
  | { kind: "unknown"; at: string }
  /** `found`: what is there, shortened. */
  | { kind: "wrong"; at: string; wanted: WantedValue; found: string }
  /** An offered topic of a server on which none may be added. */
  | { kind: "not-allowed"; at: string };

/** The host's file as last read, and what followed from it. */
export interface HostRecord {
  config: HostConfig;
  problems: ConfigProblem[];
  /** The default server: of the file, else of the page, else found, else the app's own origin. */
  home: ServerAddress;
  /** The only servers on which topics can be added, `home` included; absent = any. */
  allowed?: ServerAddress[];
  /** The topic server found where the app is; absent = none. */
  found?: ServerAddress;
  /** Settings made here because of the file, so they aren't made again over the user's choice. */
  applied: HostSettings;
  /** What the user had chosen before the host locked it; it returns when the lock goes. */
  own?: HostSettings;
}

/** The configuration of a host that has set nothing. */
export const NO_HOST_CONFIG: HostConfig = { topics: [], settings: {}, locked: [] };

const MAX_FOUND_LENGTH = 60;

/** A value as it may be shown in an error. */
function shortened(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return "";
  return text.length > MAX_FOUND_LENGTH ? `${text.slice(0, MAX_FOUND_LENGTH)}…` : text;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isSetting = (name: unknown): name is HostSettingName =>
  typeof name === "string" && Object.hasOwn(SETTING_VALUES, name);

/** A name holds no control characters, and none that change the direction of text. */
const isName = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= MAX_NAME_LENGTH && !/[\p{Cc}\p{Cf}]/u.test(value);

function addressOf(value: unknown): ServerAddress | undefined {
  const address = typeof value === "string" ? parseServerAddress(value) : undefined;
  return address?.ok ? address.value : undefined;
}

function offeredTopic(entry: unknown): OfferedTopic | undefined {
  if (typeof entry !== "string") return undefined;
  const slash = entry.lastIndexOf("/");
  const topic = entry.slice(slash + 1);
  if (!checkTopicName(topic).ok) return undefined;
  if (slash < 0) return { topic };
  const server = addressOf(entry.slice(0, slash));
  return server === undefined ? undefined : { server, topic };
}

function isSettingValue(name: HostSettingName, value: unknown): boolean {
  const wanted = SETTING_VALUES[name];
  if (typeof wanted !== "string") return typeof value === "string" && wanted.includes(value);
  switch (wanted) {
    case "language":
      return typeof value === "string" && /^(?:system|[a-z]{2,3}(?:-[\w-]{1,20})?)$/i.test(value);
    case "boolean":
      return typeof value === "boolean";
    case "count":
      return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
    default:
      return wanted satisfies never;
  }
}

/** Reads the names of the file one by one, and notes what can't be used. */
class Reading {
  readonly config: HostConfig = { topics: [], settings: {}, locked: [] };
  readonly problems: ConfigProblem[] = [];

  take(name: string, value: unknown): void {
    switch (name) {
      case "name":
        if (isName(value)) this.config.name = value.trim();
        else this.#wrong(name, "name", value);
        return;
      case "server": {
        const address = addressOf(value);
        if (address === undefined) this.#wrong(name, "address", value);
        else this.config.server = address;
        return;
      }
      case "colour":
        if (typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value)) this.config.colour = value.toLowerCase();
        else this.#wrong(name, "colour", value);
        return;
      case "topics":
        this.config.topics = this.#list(name, value, (entry) => {
          const offered = offeredTopic(entry);
          return offered ? { value: offered } : "topic";
        });
        return;
      case "allowedServers":
        // If the list is unreadable, only the default server is left: a mistake must not open what the host wanted
        // closed.
        this.config.allowedServers = this.#list(name, value, (entry) => {
          const address = addressOf(entry);
          return address === undefined ? "address" : { value: address };
        });
        return;
      case "pushKeys":
        this.#pushKeys(value);
        return;
      case "settings":
        this.#settings(value);
        return;
      case "locked":
        this.config.locked = this.#list(name, value, (entry) => (isSetting(entry) ? { value: entry } : "setting"));
        return;
      default:
        this.problems.push({ kind: "unknown", at: shortenedName(name) });
    }
  }

  /** Checks what several names decide together. */
  end(): void {
    const { server: home, allowedServers, topics } = this.config;
    if (!allowedServers) return;
    this.config.topics = topics.filter(({ server }, at) => {
      const isAllowed = server === undefined || server === home || allowedServers.includes(server);
      if (!isAllowed) this.problems.push({ kind: "not-allowed", at: `topics[${String(at)}]` });
      return isAllowed;
    });
  }

  #pushKeys(value: unknown): void {
    if (!isObject(value)) {
      this.#wrong("pushKeys", "object", value);
      return;
    }
    const all = Object.entries(value);
    if (all.length > MAX_ENTRIES) this.#wrong("pushKeys", "fewer", all.length);
    const taken: [ServerAddress, string][] = [];
    for (const [name, entry] of all.slice(0, MAX_ENTRIES)) {
      const at = `pushKeys.${shortenedName(name)}`;
      const address = addressOf(name);
      const key = typeof entry === "string" ? readPushKey({ web_push_public_key: entry.trim() }) : undefined;
      if (address === undefined) this.#wrong(at, "address", name);
      else if (key?.ok) taken.push([address, key.value]);
      else this.#wrong(at, "push-key", entry);
    }
    if (taken.length > 0) this.config.pushKeys = Object.fromEntries(taken);
  }

  #settings(value: unknown): void {
    if (!isObject(value)) {
      this.#wrong("settings", "object", value);
      return;
    }
    const taken: [string, unknown][] = [];
    for (const [name, set] of Object.entries(value)) {
      const at = `settings.${shortenedName(name)}`;
      if (!isSetting(name)) this.problems.push({ kind: "unknown", at });
      else if (isSettingValue(name, set)) taken.push([name, set]);
      else this.#wrong(at, SETTING_VALUES[name], set);
    }
    this.config.settings = Object.fromEntries(taken);
  }

  /** Returns the valid entries, each once. */
  #list<Entry>(name: string, value: unknown, read: (entry: unknown) => { value: Entry } | WantedValue): Entry[] {
    if (!Array.isArray(value)) {
      this.#wrong(name, "list", value);
      return [];
    }
    if (value.length > MAX_ENTRIES) this.#wrong(name, "fewer", value.length);
    const entries = (value as unknown[]).slice(0, MAX_ENTRIES).flatMap((entry, at) => {
      const taken = read(entry);
      if (isTaken(taken)) return [taken.value];
      this.#wrong(`${name}[${String(at)}]`, taken, entry);
      return [];
    });
    return entries.filter(
      (entry, at) => entries.findIndex((other) => JSON.stringify(other) === JSON.stringify(entry)) === at,
    );
  }

  #wrong(at: string, wanted: WantedValue, found: unknown): void {
    this.problems.push({ kind: "wrong", at, wanted, found: shortened(found) });
  }
}

const isTaken = <Entry>(read: { value: Entry } | WantedValue): read is { value: Entry } =>
  typeof read === "object" && "value" in read;

const shortenedName = (name: string): string =>
  name.length > MAX_FOUND_LENGTH ? `${name.slice(0, MAX_FOUND_LENGTH)}…` : name;

/** At most this many problems are listed. */
const MAX_PROBLEMS = 20;

/**
 * Reads the host's file. Mistakes are named and left out; the rest counts. Undefined config: the whole file is
 * unreadable.
 */
export function readHostConfig(text: string): { config?: HostConfig; problems: ConfigProblem[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problems: [{ kind: "not-json", text: error instanceof Error ? error.message : "" }] };
  }
  if (!isObject(value)) {
    return { problems: [{ kind: "wrong", at: "", wanted: "object", found: shortened(value) }] };
  }
  const reading = new Reading();
  for (const [name, entry] of Object.entries(value)) reading.take(name, entry);
  reading.end();
  return { config: reading.config, problems: reading.problems.slice(0, MAX_PROBLEMS) };
}
