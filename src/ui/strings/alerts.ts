// The words of alerts come with their code.
import { later } from "./catalogue";
import { alerts } from "./en/alerts";

export const alertStrings = later("alerts", alerts);
