// The strings of alerts load with their code.
import { later } from "./catalogue";
import { alerts } from "./en/alerts";

export const alertStrings = later("alerts", alerts);
