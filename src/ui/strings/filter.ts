// The words of what the filter box shows only to those who use it come with their code.
import { later } from "./catalogue";
import { filter } from "./en/filter";

export const filterStrings = later("filter", filter);
