// The strings of actions on messages load with their code.
import { later } from "./catalogue";
import { rows } from "./en/rows";

export const rowStrings = later("rows", rows);
