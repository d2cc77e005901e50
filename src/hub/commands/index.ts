// What the user asks for, and what he is alerted of; the connections need none of it, so it is loaded behind them.
import type { CommandContext } from "./context";
import { messageCommands } from "./message-commands";
import { serverCommands } from "./server-commands";
import { tailCommands } from "./tail-commands";
import { topicCommands } from "./topic-commands";
import { whileTelling, WRITING } from "./while-telling";

export { Alerts } from "../alerts";
export { ForeignWrites } from "../foreign-writes";

/** The commands that work on the store, or ask a server something on the way. */
export type UserCommands = ReturnType<typeof userCommands>;

export function userCommands(context: CommandContext) {
  const commands = {
    ...topicCommands(context),
    ...messageCommands(context),
    ...serverCommands(context),
    ...tailCommands(context),
  };
  const byName: Record<string, (input: never) => Promise<unknown>> = commands;
  for (const name of WRITING) {
    const carryOut = byName[name];
    if (carryOut) byName[name] = (input) => whileTelling(context, () => carryOut(input));
  }
  return commands;
}
