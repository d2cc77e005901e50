// User commands and alerts; loaded after the connections, which don't need them.
import { COMMAND_TABLE, CONTRACT_VERSION, type CommandsThat } from "../../contract";
import { Alerts } from "../alerts";
import { ForeignWrites } from "../foreign-writes";
import type { HubMessage } from "../hub-message";
import { Outages } from "../outages";
import type { Tabs } from "../tabs";
import { AccountSync } from "./account-sync";
import { backupCommands } from "./backup-commands";
import type { CommandContext, CommandHandler } from "./context";
import { hostRules } from "./host-commands";
import { KeptFiles } from "./keep-files";
import { keepTokens } from "./keep-tokens";
import { messageCommands } from "./message-commands";
import { pushCommands } from "./push-commands";
import { refreshed } from "./refreshed";
import { serverCommands } from "./server-commands";
import { tailCommands } from "./tail-commands";
import { topicCommands } from "./topic-commands";
import { whileTelling } from "./while-telling";

/** The commands that work on the store or make a request of their own. */
export type UserCommands = { [Name in CommandsThat<{ by: "user" }>]: CommandHandler<Name> };

/** The parts of a hub that it loads once its first messages were received. */
export interface Later {
  commands: UserCommands;
  alerts: Alerts;
  writes: ForeignWrites;
  refreshed: typeof refreshed;
}

/**
 * Makes these parts, and starts what runs by itself: watching outages, renewing tokens, keeping files and accounts in step.
 * @param missed another hub may have written something without announcing it
 */
export function later(context: CommandContext, tabs: Tabs, missed: () => void): Later {
  const { environment } = context;
  const { channel } = environment;
  const alerts = new Alerts(
    environment,
    () => tabs.takers(),
    (passed) => channel.post({ version: CONTRACT_VERSION, kind: "alert", passed } satisfies HubMessage),
  );
  keepTokens(context);
  new Outages(context, alerts).start();
  const files = new KeptFiles(context);
  files.start();
  const accounts = new AccountSync(context);
  accounts.start();
  return {
    alerts,
    refreshed,
    commands: userCommands(context, files, accounts),
    writes: new ForeignWrites(environment, missed),
  };
}

/** Commands of the user; each that writes what tabs show tells the other hubs meanwhile. */
function userCommands(context: CommandContext, files: KeptFiles, accounts: AccountSync): UserCommands {
  const host = hostRules(context);
  const pushes = pushCommands(context);
  const topics = topicCommands(context, host);
  const servers = serverCommands(context, host, pushes.endPush);
  const commands: UserCommands = {
    readHost: host.readHost,
    ...topics,
    ...messageCommands(context),
    ...servers,
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
      then(servers.setSetting(input), () => {
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
