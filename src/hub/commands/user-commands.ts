import { COMMAND_TABLE, type CommandsThat } from "../../contract";
import type { AccountSync } from "./account-sync";
import { backupCommands } from "./backup-commands";
import { contentCommands } from "./content-commands";
import type { CommandContext, CommandHandler } from "./context";
import { hostRules } from "./host-commands";
import type { KeptFiles } from "./keep-files";
import { pushCommands } from "./push-commands";
import { serverCommands } from "./server-commands";
import { settingsCommands } from "./settings-commands";
import { tailCommands } from "./tail-commands";
import { topicCommands } from "./topic-commands";
import { triageCommands } from "./triage-commands";
import { whileTelling } from "./while-telling";

/** The commands that work on the store or make a request of their own. */
export type UserCommands = { [Name in CommandsThat<{ by: "user" }>]: CommandHandler<Name> };

/** Commands of the user; each that writes what tabs show tells the other hubs meanwhile. */
export function userCommands(context: CommandContext, files: KeptFiles, accounts: AccountSync): UserCommands {
  const host = hostRules(context);
  const pushes = pushCommands(context);
  const topics = topicCommands(context, host);
  const servers = serverCommands(context, host, pushes.endPush);
  const settings = settingsCommands(context, host);
  const commands: UserCommands = {
    readHost: host.readHost,
    ...topics,
    ...triageCommands(context),
    ...contentCommands(context),
    ...servers,
    ...settings,
    ...files.commands(),
    ...accounts.commands(),
    subscribe: (input) => then(topics.subscribe(input), () => void accounts.look()),
    unsubscribe: (input) => then(topics.unsubscribe(input), () => void accounts.look()),
    restoreSubscription: (input) => then(topics.restoreSubscription(input), () => void accounts.look()),
    patchSubscription: (input) =>
      then(topics.patchSubscription(input), () => {
        if (input.patch.keepFilesMb !== undefined) void files.look(true);
      }),
    setCredentials: (input) => then(servers.setCredentials(input), () => accounts.signedIn()),
    patchServer: (input) => then(servers.patchServer(input), () => void accounts.look()),
    setSetting: (input) =>
      then(settings.setSetting(input), () => {
        if (input.key === "keepFiles") void files.look(true);
      }),
    ...pushes,
    ...tailCommands(context),
    ...backupCommands(context),
  };
  const telling = Object.entries(commands).map(([name, carryOut]: [string, (input: never) => Promise<unknown>]) => {
    const { writes } = COMMAND_TABLE[name as keyof UserCommands] as { writes?: true };
    return [name, writes ? (input: never) => whileTelling(context, () => carryOut(input)) : carryOut];
  });
  return Object.fromEntries(telling) as UserCommands;
}

/** Begins what follows from a command that was carried out. */
async function then<Output extends { ok: boolean }>(command: Promise<Output>, follow: () => void): Promise<Output> {
  const done = await command;
  if (done.ok) follow();
  return done;
}
