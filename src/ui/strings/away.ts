// The strings of these screens load with their code.
import { later } from "./catalogue";
import { away } from "./en/away";

export const awayStrings = later("away", away);
