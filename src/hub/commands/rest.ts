// The user's commands that a first visit doesn't give, and what runs by itself once there is a server.
import { Outages } from "../outages";
import type { Alerts } from "../alerts";
import { AccountSync } from "./account-sync";
import { backupCommands } from "./backup-commands";
import { contentCommands } from "./content-commands";
import type { CommandContext } from "./context";
import type { HostRules } from "./host-commands";
import { KeptFiles } from "./keep-files";
import { keepTokens } from "./keep-tokens";
import { pushCommands } from "./push-commands";
import { serverCommands } from "./server-commands";
import { settingsCommands } from "./settings-commands";
import { tailCommands } from "./tail-commands";
import { followedBy } from "./followed-by";
import type { FirstCommands } from "./topic-commands";
import { triageCommands } from "./triage-commands";
import type { UserCommands } from "./user-commands";

/** What is loaded once there is a server, or one of these commands is given. */
export interface Rest {
  commands: Omit<UserCommands, keyof FirstCommands>;
  files: KeptFiles;
  accounts: AccountSync;
}

/** Makes it, and starts what runs by itself: watching outages, renewing tokens, keeping files and accounts in step. */
export function rest(context: CommandContext, host: HostRules, alerts: Alerts): Rest {
  keepTokens(context);
  new Outages(context, alerts).start();
  const files = new KeptFiles(context);
  files.start();
  const accounts = new AccountSync(context);
  accounts.start();
  const pushes = pushCommands(context);
  const servers = serverCommands(context, host, pushes.endPush);
  const settings = settingsCommands(context, host);
  const commands: Rest["commands"] = {
    ...triageCommands(context),
    ...contentCommands(context),
    ...servers,
    ...settings,
    ...files.commands(),
    ...accounts.commands(),
    setCredentials: (input) => followedBy(servers.setCredentials(input), () => accounts.signedIn()),
    patchServer: (input) => followedBy(servers.patchServer(input), () => void accounts.look()),
    setSetting: (input) =>
      followedBy(settings.setSetting(input), () => {
        if (input.key === "keepFiles") void files.look(true);
      }),
    ...pushes,
    ...tailCommands(context),
    ...backupCommands(context),
  };
  return { commands, files, accounts };
}
