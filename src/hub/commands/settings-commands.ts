import {
  checkViews,
  KEEP_FILES_OFF,
  MAX_CONFIG_BYTES,
  NO_HOST_CONFIG,
  readHostConfig,
  type CommandError,
  type ConfigProblem,
  type HostConfig,
  type HostRecord,
  type HostSettingName,
  type HostSettings,
} from "../../contract";
import { fail, ok, type Result, type ServerAddress } from "../../protocol";
import { DEFAULT_SETTINGS, isIntactSetting, type Settings } from "../../store";
import {
  type CommandContext,
  type FeatureCommands,
  settle,
  unwrap,
  storageError,
  type CommandHandler,
} from "./context";
import { readText } from "../requests/read-text";

export function settingsCommands(context: CommandContext, host: HostRules) {
  const { store } = context.environment;
  return {
    async setSetting({ key, value }) {
      if (!Object.hasOwn(SETTABLE, key)) return fail({ kind: "not-found" });
      if (value === undefined || !isIntactSetting(key, value))
        return fail({ kind: "invalid", field: "setting", reason: `not a value of ${key}` });
      const locked = await host.locked(key);
      if (locked) return fail(locked);
      return settle(context, store.setSetting(key as keyof Settings, value as never));
    },

    async setViews({ views }) {
      const checked = checkViews(views);
      if (!checked.ok) return fail({ kind: "invalid", field: "view", reason: checked.error });
      return settle(context, store.setViews(views));
    },

    keepSnapshot: async ({ snapshot, shown }) => ok(unwrap(await store.keepSnapshot(snapshot, shown))),
  } satisfies FeatureCommands;
}

/** The settings that can be set. */
const SETTABLE: Readonly<Settings> = { ...DEFAULT_SETTINGS, display: {}, keepFiles: KEEP_FILES_OFF };

/** The app's own host must answer within this, ms; only the first subscription waits for it. */
const ANSWER_WITHIN_MS = 5_000;

/** The server has no such file. Unlike 404, 204 leaves no error in the console. */
const NO_FILE = [204, 404, 410];

/** What the host's file says; no config = it is unreadable. */
type HostFile = { config?: HostConfig; problems: ConfigProblem[] };

/** Enforces what the app's host has set (docs/hosting.md). */
export interface HostRules {
  readHost: CommandHandler<"readHost">;
  /** Why no topic may be added on a server; undefined = allowed. Waits for a file being read. */
  barred(address: ServerAddress): Promise<CommandError | undefined>;
  /** Why a setting can't be changed; undefined = it can. */
  locked(name: string): Promise<CommandError | undefined>;
}

export function hostRules(context: CommandContext): HostRules {
  const { environment, catalogueChanged } = context;
  const { store } = environment;
  let reading: Promise<unknown> | undefined;

  const ask = async (url: string): Promise<Response | undefined> => {
    const abort = new AbortController();
    const timer = environment.setTimer(() => abort.abort(), ANSWER_WITHIN_MS);
    try {
      // A sign-in page in front of the app answers with a redirect.
      return await environment.fetch(url, { cache: "no-cache", redirect: "manual", signal: abort.signal });
    } catch {
      return undefined;
    } finally {
      environment.clearTimer(timer);
    }
  };

  /** Undefined = no answer. */
  const readFile = async (base: string): Promise<HostFile | undefined> => {
    const answer = await ask(new URL("config.json", base).href);
    const none: HostFile = { config: NO_HOST_CONFIG, problems: [] };
    if (answer && NO_FILE.includes(answer.status)) return none;
    const text = answer?.status === 200 ? await readText(answer, environment, MAX_CONFIG_BYTES + 1) : "";
    if (text === "") return undefined;
    // Hosts of single-page apps answer with the page itself when they don't have a file.
    if (/^\s*</.test(text)) return none;
    const isTooLong = new TextEncoder().encode(text).length > MAX_CONFIG_BYTES;
    return isTooLong ? { problems: [{ kind: "too-long" }] } : readHostConfig(text);
  };

  const settings = async (): Promise<Settings | undefined> => {
    const read = await store.settings();
    return read.ok ? read.value : undefined;
  };

  /** Stores a changed record, with the settings that follow from it. */
  const keep = async (before: Settings, record: HostRecord): Promise<Result<null, CommandError>> => {
    const { changes, applied, own } = changesBy(before, record);
    const { own: _, ...rest } = record;
    const host: HostRecord = { ...rest, applied, ...(Object.keys(own).length > 0 && { own }) };
    if (JSON.stringify(before.host) === JSON.stringify(host) && changes.length === 0) return ok(null);
    // The record comes last, so that after an interruption the next read finishes the job.
    for (const [name, value] of [...changes, ["host", host] as const]) {
      const set = await store.setSetting(name as keyof Settings, value as never);
      if (!set.ok) return fail(storageError(set.error));
    }
    await catalogueChanged();
    return ok(null);
  };

  return {
    async readHost({ base, page }) {
      const work = async (): ReturnType<CommandHandler<"readHost">> => {
        const file = await readFile(base);
        const before = await store.settings();
        if (!before.ok) return fail(storageError(before.error));
        const { host: known } = before.value;
        // What can't be read leaves what was read before.
        const { config = known?.config ?? NO_HOST_CONFIG, problems } = file ?? { problems: known?.problems ?? [] };
        const home = config.server ?? page;
        const host: HostRecord = {
          config,
          problems,
          home,
          ...(config.allowedServers && { allowed: [...new Set([home, ...config.allowedServers])] }),
          applied: known?.applied ?? {},
          ...(known?.own && { own: known.own }),
        };
        const kept = await keep(before.value, host);
        if (!kept.ok) return kept;
        const from = known?.home ?? page;
        return ok({ host, ...(from !== home && { movedFrom: from }) });
      };
      // Reads follow one another, so that only one tab is told that the server has moved.
      const done = (reading ?? Promise.resolve()).then(work);
      reading = done.catch(() => undefined);
      return done;
    },

    async barred(address) {
      await reading;
      const isAllowed = (await settings())?.host?.allowed?.includes(address) ?? true;
      return isAllowed ? undefined : { kind: "invalid", field: "server", reason: "not-allowed" };
    },

    async locked(name) {
      const isLocked = (await settings())?.host?.config.locked.includes(name as HostSettingName);
      return isLocked ? { kind: "invalid", field: "setting", reason: "locked" } : undefined;
    },
  };
}

/**
 * What a record changes in the settings. A locked setting is as the host says. Any other is set once, if it still has
 * the app's default or the host's former value. What the host no longer says goes back to the default, unless the user
 * changed it. When a lock goes, the user's former choice returns.
 */
function changesBy(
  before: Settings,
  { config, applied: known, own: chosen = {} }: HostRecord,
): { changes: [HostSettingName, unknown][]; applied: HostSettings; own: HostSettings } {
  const changes: [HostSettingName, unknown][] = [];
  const names = new Set([
    ...Object.keys(known),
    ...Object.keys(config.settings),
    ...config.locked,
    ...Object.keys(chosen),
  ] as HostSettingName[]);
  const applied: [HostSettingName, unknown][] = [];
  const own: [HostSettingName, unknown][] = [];
  for (const name of names) {
    const isLocked = config.locked.includes(name);
    const isSet = config.settings[name] !== undefined || isLocked;
    const wanted = config.settings[name] ?? DEFAULT_SETTINGS[name];
    const isOwn = before[name] !== (known[name] ?? DEFAULT_SETTINGS[name]);
    const isNews = known[name] !== wanted;
    const ownValue = chosen[name] ?? (isOwn ? before[name] : undefined);
    if (isLocked && ownValue !== undefined) own.push([name, ownValue]);
    if (!isLocked && chosen[name] !== undefined) changes.push([name, chosen[name]]);
    else if (before[name] !== wanted && (isLocked || (isNews && !isOwn))) changes.push([name, wanted]);
    if (isSet) applied.push([name, wanted]);
  }
  return { changes, applied: Object.fromEntries(applied), own: Object.fromEntries(own) };
}
