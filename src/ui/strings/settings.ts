// The strings of these screens load with their code.
import { later } from "./catalogue";
import { settings } from "./en/settings";

export const settingsStrings = later("settings", settings);
