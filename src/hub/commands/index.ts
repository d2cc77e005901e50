// What the user asks for and what they are alerted to. Connections need none of it, so it is loaded after them.
import type { CommandContext } from "./context";
import { messageCommands } from "./message-commands";
import { serverCommands } from "./server-commands";
import { tailCommands } from "./tail-commands";
import { topicCommands } from "./topic-commands";
import { whileTelling, WRITING } from "./while-telling";

export { Alerts } from "../alerts";
export { ForeignWrites } from "../foreign-writes";

/** The commands that work on the store or make a request of their own. */
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
