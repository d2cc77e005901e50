// What the user asks for; the connections need none of it, so it is loaded behind them.
import type { CommandContext } from "./context";
import { messageCommands } from "./message-commands";
import { serverCommands } from "./server-commands";
import { tailCommands } from "./tail-commands";
import { topicCommands } from "./topic-commands";

/** The commands that work on the store, or ask a server something on the way. */
export type UserCommands = ReturnType<typeof userCommands>;

export function userCommands(context: CommandContext) {
  return {
    ...topicCommands(context),
    ...messageCommands(context),
    ...serverCommands(context),
    ...tailCommands(context),
  };
}
