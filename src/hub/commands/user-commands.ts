import { traitsOf, type CommandName, checkViews, KEEP_FILES_OFF } from "../../contract";
import { fail, ok } from "../../protocol";
import { DEFAULT_SETTINGS, isIntactSetting, type Settings } from "../../store";
import type { Alerts } from "../alerts/alerts";
import { AccountSync } from "./account-sync";
import { backupCommands } from "./backup-commands";
import { contentCommands } from "./content-commands";
import { type CommandContext, type FeatureCommands, unwrap, whileTelling } from "./context";
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

/** Commands for the settings and the saved views. */
function settingsCommands({ environment: { store }, catalogueChanged }: CommandContext, host: HostRules) {
  return {
    async setSetting({ key, value }) {
      if (!isSettingName(key)) return fail({ kind: "not-found" });
      if (!isValue(key, value)) return fail({ kind: "invalid", field: "setting", reason: `not a value of ${key}` });
      const locked = await host.locked(key);
      if (locked) return fail(locked);
      unwrap(await store.setSetting(key, value));
      await catalogueChanged();
      return ok(null);
    },

    async setViews({ views }) {
      const checked = checkViews(views);
      if (!checked.ok) return fail({ kind: "invalid", field: "view", reason: checked.error });
      unwrap(await store.setViews(views));
      await catalogueChanged();
      return ok(null);
    },

    keepSnapshot: async ({ snapshot, shown }) => ok(unwrap(await store.keepSnapshot(snapshot, shown))),
  } satisfies FeatureCommands;
}

/** The settings that can be set. */
const SETTABLE: Readonly<Settings> = { ...DEFAULT_SETTINGS, display: {}, keepFiles: KEEP_FILES_OFF };

function isSettingName(key: string): key is keyof Settings {
  return Object.hasOwn(SETTABLE, key);
}

function isValue<Name extends keyof Settings>(name: Name, value: unknown): value is Settings[Name] {
  return value !== undefined && isIntactSetting(name, value);
}

/** Makes the commands; `start` begins what runs by itself: outages, tokens, files, accounts. */
export function userCommands(hub: CommandContext, alerts: Alerts) {
  const files = new KeptFiles(hub);
  const accounts = new AccountSync(hub);
  const context: CommandContext = {
    ...hub,
    async catalogueChanged() {
      await hub.catalogueChanged();
      // Topics may have come or gone, and files are kept by the settings.
      void accounts.look();
      void files.look(true);
    },
  };
  const host = hostRules(context);
  const pushes = pushCommands(context);
  const commands = {
    readHost: host.readHost,
    ...topicCommands(context, host),
    ...serverCommands(context, host, pushes.endPush, () => accounts.signedIn()),
    ...settingsCommands(context, host),
    ...triageCommands(context),
    ...scheduledCommands(context),
    ...contentCommands(context),
    ...files.commands(),
    ...accounts.commands(),
    ...pushes,
    ...tailCommands(context),
    ...backupCommands(context),
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

/** Makes each command that writes what tabs show tell the other hubs meanwhile. */
function tellingOthers<Handlers extends object>(context: CommandContext, commands: Handlers): Handlers {
  const all = Object.entries(commands).map(([name, carryOut]: [string, (input: unknown) => Promise<unknown>]) => {
    const { writes } = traitsOf(name as CommandName);
    return [name, writes ? (input: unknown) => whileTelling(context, () => carryOut(input)) : carryOut];
  });
  return Object.fromEntries(all) as Handlers;
}
