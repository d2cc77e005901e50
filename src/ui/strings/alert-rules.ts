// The strings of the rules of alerts load with their settings.
import { later } from "./catalogue";
import { alertRules } from "./en/alert-rules";

export const alertRuleStrings = later("alertRules", alertRules);
