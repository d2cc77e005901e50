// User commands and alerts; loaded after the connections, which don't need them.
import { CONTRACT_VERSION } from "../../contract";
import { Alerts } from "../alerts";
import { ForeignWrites } from "../foreign-writes";
import type { HubMessage } from "../hub-message";
import { Outages } from "../outages";
import type { Tabs } from "../tabs";
import { AccountSync } from "./account-sync";
import type { CommandContext } from "./context";
import { KeptFiles } from "./keep-files";
import { keepTokens } from "./keep-tokens";
import { refreshed } from "./refreshed";
import { userCommands, type UserCommands } from "./user-commands";

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
