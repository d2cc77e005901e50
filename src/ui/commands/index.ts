export type { Command, CommandId, Situation } from "./command";
export { Keyboard, situationOf } from "./keyboard";
export { COMMANDS, commandOf } from "./table";
