import { COMMAND_TABLE, type CommandsThat } from "../../contract";
import type { CommandContext, CommandHandler } from "./context";
import type { Rest } from "./rest";
import type { FirstCommands } from "./topic-commands";
import { whileTelling } from "./while-telling";

/** The commands that work on the store or make a request of their own. */
export type UserCommands = { [Name in CommandsThat<{ by: "user" }>]: CommandHandler<Name> };

/** Commands of the user; each that writes what tabs show tells the other hubs meanwhile. */
export function userCommands(context: CommandContext, first: FirstCommands, load: () => Promise<Rest>): UserCommands {
  type CarryOut = (input: never) => Promise<unknown>;
  const all = Object.entries(COMMAND_TABLE).filter(([, { by }]) => by === "user");
  const commands = all.map(([name, traits]): [string, CarryOut] => {
    const carryOut: CarryOut =
      name in first
        ? (first[name as keyof FirstCommands] as CarryOut)
        : async (input) => ((await load()).commands[name as keyof Rest["commands"]] as CarryOut)(input);
    return [name, "writes" in traits ? (input) => whileTelling(context, () => carryOut(input)) : carryOut];
  });
  return Object.fromEntries(commands) as UserCommands;
}
