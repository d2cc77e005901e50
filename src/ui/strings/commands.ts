// The strings of these screens load with their code.
import { later } from "./catalogue";
import { commands } from "./en/commands";

export const commandStrings = later("commands", commands);
