import { traitsOf, type CommandName, type Commands, checkViews, KEEP_FILES_OFF } from "../../contract";
import { fail, ok } from "../../protocol";
import { DEFAULT_SETTINGS, isIntactSetting, type Settings } from "../../store";
import type { Alerts } from "../alerts/alerts";
import { AccountSync } from "./account-sync";
import { backupCommands } from "./backup-commands";
import { contentCommands } from "./content-commands";
import { type CommandContext, storageError, type CommandHandlers } from "./context";
import { hostRules, type HostRules } from "./host-commands";
import { KeptFiles } from "./keep-files";
import { Outages } from "./outages";
import { pushCommands } from "./push-commands";
import { tailCommands } from "./raw-tail";
import { scheduledCommands } from "./scheduled-commands";
import { serverCommands } from "./server-commands";
import { keepTokens } from "./sign-in";
import { topicCommands } from "./topic-commands";
import { triageCommands } from "./triage-commands";
import { whileTelling } from "./while-telling";

/** Commands for the settings and the saved views. */
export function settingsCommands(
  { environment: { store }, catalogueChanged }: CommandContext,
  host: HostRules,
): CommandHandlers<"setSetting" | "setViews" | "keepSnapshot"> {
  return {
    async setSetting({ key, value }) {
      if (!isSettingName(key)) return fail({ kind: "not-found" });
      if (!isValue(key, value)) return fail({ kind: "invalid", field: "setting", reason: `not a value of ${key}` });
      const locked = await host.locked(key);
      if (locked) return fail(locked);
      const set = await store.setSetting(key, value);
      if (!set.ok) return fail(storageError(set.error));
      await catalogueChanged();
      return ok(null);
    },

    async setViews({ views }) {
      const checked = checkViews(views);
      if (!checked.ok) return fail({ kind: "invalid", field: "view", reason: checked.error });
      const set = await store.setViews(views);
      if (!set.ok) return fail(storageError(set.error));
      await catalogueChanged();
      return ok(null);
    },

    async keepSnapshot({ snapshot, shown }) {
      const kept = await store.keepSnapshot(snapshot, shown);
      return kept.ok ? kept : fail(storageError(kept.error));
    },
  };
}

/** The settings that can be set. */
const SETTABLE: Readonly<Settings> = { ...DEFAULT_SETTINGS, display: {}, keepFiles: KEEP_FILES_OFF };

function isSettingName(key: string): key is keyof Settings {
  return Object.hasOwn(SETTABLE, key);
}

function isValue<Name extends keyof Settings>(name: Name, value: unknown): value is Settings[Name] {
  return value !== undefined && isIntactSetting(name, value);
}

/**
 * Makes the commands that work on the store or make requests, and once `start` is called, what runs by itself: watching
 * outages, renewing tokens, keeping files and accounts in step.
 */
export function userCommands(context: CommandContext, alerts: Alerts) {
  const host = hostRules(context);
  const files = new KeptFiles(context);
  const accounts = new AccountSync(context);
  const pushes = pushCommands(context);
  const topics = topicCommands(context, host);
  const servers = serverCommands(context, host, pushes.endPush);
  const settings = settingsCommands(context, host);
  const compareAccounts = (): void => void accounts.look();
  const commands = {
    readHost: host.readHost,
    ...topics,
    ...servers,
    ...settings,
    ...triageCommands(context),
    ...scheduledCommands(context),
    ...contentCommands(context),
    ...files.commands(),
    ...accounts.commands(),
    ...pushes,
    ...tailCommands(context),
    ...backupCommands(context),
    subscribe: (input: Commands["subscribe"]["input"]) => andThen(topics.subscribe(input), compareAccounts),
    unsubscribe: (input: Commands["unsubscribe"]["input"]) => andThen(topics.unsubscribe(input), compareAccounts),
    restoreSubscription: (input: Commands["restoreSubscription"]["input"]) =>
      andThen(topics.restoreSubscription(input), compareAccounts),
    patchSubscription: (input: Commands["patchSubscription"]["input"]) =>
      andThen(topics.patchSubscription(input), () => {
        if (input.patch.keepFilesMb !== undefined) void files.look(true);
      }),
    setCredentials: (input: Commands["setCredentials"]["input"]) =>
      andThen(servers.setCredentials(input), () => accounts.signedIn()),
    patchServer: (input: Commands["patchServer"]["input"]) => andThen(servers.patchServer(input), compareAccounts),
    setSetting: (input: Commands["setSetting"]["input"]) =>
      andThen(settings.setSetting(input), () => {
        if (input.key === "keepFiles") void files.look(true);
      }),
  };
  return {
    commands: tellingOthers(context, commands),
    start() {
      keepTokens(context);
      new Outages(context, alerts).start();
      files.start();
      accounts.start();
    },
  };
}

/** Begins what follows from a command that was carried out. */
async function andThen<Output extends { ok: boolean }>(command: Promise<Output>, follow: () => void): Promise<Output> {
  const done = await command;
  if (done.ok) follow();
  return done;
}

/** Has each command that writes what tabs show tell the other hubs meanwhile. */
function tellingOthers<Handlers extends object>(context: CommandContext, commands: Handlers): Handlers {
  const all = Object.entries(commands).map(([name, carryOut]: [string, (input: unknown) => Promise<unknown>]) => {
    const { writes } = traitsOf(name as CommandName);
    return [name, writes ? (input: unknown) => whileTelling(context, () => carryOut(input)) : carryOut];
  });
  return Object.fromEntries(all) as Handlers;
}
