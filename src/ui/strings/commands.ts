// The words of these screens come with their code.
import { later } from "./catalogue";
import { commands } from "./en/commands";

export const commandStrings = later("commands", commands);
