export { isPossible, type Command, type CommandId, type Situation } from "./command";
export { Keyboard, situationOf } from "./keyboard";
export { COMMANDS, commandOf } from "./table";
