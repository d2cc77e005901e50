// What the user asks for and what they are alerted to. Connections need none of it, so it is loaded after them.
import { COMMAND_TABLE, type CommandsThat } from "../../contract";
import { backupCommands } from "./backup-commands";
import type { CommandContext, Handler } from "./context";
import { hostRules } from "./host-commands";
import { messageCommands } from "./message-commands";
import { pushCommands } from "./push-commands";
import { serverCommands } from "./server-commands";
import { tailCommands } from "./tail-commands";
import { topicCommands } from "./topic-commands";
import { whileTelling } from "./while-telling";

export { refreshed } from "./refreshed";
export { Alerts } from "../alerts";
export { ForeignWrites } from "../foreign-writes";

/** The commands that work on the store or make a request of their own. */
export type UserCommands = { [Name in CommandsThat<{ by: "user" }>]: Handler<Name> };

/** Commands of the user; each that writes what tabs show tells the other hubs meanwhile. */
export function userCommands(context: CommandContext): UserCommands {
  const host = hostRules(context);
  const commands: UserCommands = {
    readHost: host.readHost,
    ...topicCommands(context, host),
    ...messageCommands(context),
    ...serverCommands(context, host),
    ...pushCommands(context),
    ...tailCommands(context),
    ...backupCommands(context),
  };
  const telling = Object.entries(commands).map(([name, carryOut]: [string, (input: never) => Promise<unknown>]) => {
    const { writes } = COMMAND_TABLE[name as keyof UserCommands] as { writes?: true };
    return [name, writes ? (input: never) => whileTelling(context, () => carryOut(input)) : carryOut];
  });
  return Object.fromEntries(telling) as UserCommands;
}
