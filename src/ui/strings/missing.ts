// The words of a look for missing messages come with its code.
import { later } from "./catalogue";
import { missing } from "./en/missing";

export const missingStrings = later("missing", missing);
