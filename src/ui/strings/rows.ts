// What is done with messages has its words with its code.
import { later } from "./catalogue";
import { rows } from "./en/rows";

export const rowStrings = later("rows", rows);
