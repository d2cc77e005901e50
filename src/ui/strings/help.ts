// The help's own words; its pages are in docs/user.
import { later } from "./catalogue";
import { help } from "./en/help";

export const helpStrings = later("help", help);
