// The strings of the check for missing messages load with its code.
import { later } from "./catalogue";
import { missing } from "./en/missing";

export const missingStrings = later("missing", missing);
