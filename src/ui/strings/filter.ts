// The strings that the filter box shows only to users who type in it load with its code.
import { later } from "./catalogue";
import { filter } from "./en/filter";

export const filterStrings = later("filter", filter);
