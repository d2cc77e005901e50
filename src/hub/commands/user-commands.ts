import { COMMAND_TABLE, type CommandsThat } from "../../contract";
import type { Alerts } from "../alerts";
import { Outages } from "../outages";
import { AccountSync } from "./account-sync";
import { backupCommands } from "./backup-commands";
import { contentCommands } from "./content-commands";
import type { CommandContext, CommandHandler } from "./context";
import { hostRules } from "./host-commands";
import { KeptFiles } from "./keep-files";
import { keepTokens } from "./keep-tokens";
import { pushCommands } from "./push-commands";
import { serverCommands } from "./server-commands";
import { settingsCommands } from "./settings-commands";
import { tailCommands } from "./tail-commands";
import { topicCommands } from "./topic-commands";
import { scheduledCommands } from "./scheduled-commands";
import { triageCommands } from "./triage-commands";
import { whileTelling } from "./while-telling";

/** The commands that work on the store or make a request of their own. */
export type UserCommands = { [Name in CommandsThat<{ by: "user" }>]: CommandHandler<Name> };

/**
 * Makes the user's commands, and what runs by itself for them once `start` is called: watching outages, renewing tokens,
 * keeping files and accounts in step.
 */
export function userCommands(context: CommandContext, alerts: Alerts): { commands: UserCommands; start: () => void } {
  const host = hostRules(context);
  const files = new KeptFiles(context);
  const accounts = new AccountSync(context);
  const pushes = pushCommands(context);
  const topics = topicCommands(context, host);
  const servers = serverCommands(context, host, pushes.endPush);
  const settings = settingsCommands(context, host);
  const compareAccounts = (): void => void accounts.look();
  const commands: UserCommands = {
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
    subscribe: (input) => followedBy(topics.subscribe(input), compareAccounts),
    unsubscribe: (input) => followedBy(topics.unsubscribe(input), compareAccounts),
    restoreSubscription: (input) => followedBy(topics.restoreSubscription(input), compareAccounts),
    patchSubscription: (input) =>
      followedBy(topics.patchSubscription(input), () => {
        if (input.patch.keepFilesMb !== undefined) void files.look(true);
      }),
    setCredentials: (input) => followedBy(servers.setCredentials(input), () => accounts.signedIn()),
    patchServer: (input) => followedBy(servers.patchServer(input), compareAccounts),
    setSetting: (input) =>
      followedBy(settings.setSetting(input), () => {
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
async function followedBy<Output extends { ok: boolean }>(
  command: Promise<Output>,
  follow: () => void,
): Promise<Output> {
  const done = await command;
  if (done.ok) follow();
  return done;
}

/** Has each command that writes what tabs show tell the other hubs meanwhile. */
function tellingOthers(context: CommandContext, commands: UserCommands): UserCommands {
  const all = Object.entries(commands).map(([name, carryOut]) => {
    const work = carryOut as (input: unknown) => Promise<unknown>;
    const writes = "writes" in COMMAND_TABLE[name as keyof UserCommands];
    return [name, writes ? (input: unknown) => whileTelling(context, () => work(input)) : work];
  });
  return Object.fromEntries(all) as UserCommands;
}
