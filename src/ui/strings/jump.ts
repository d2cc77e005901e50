// The strings of jumps load with their code.
import { later } from "./catalogue";
import { jump } from "./en/jump";

export const jumpStrings = later("jump", jump);
