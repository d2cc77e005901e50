// The strings of the raw tail load with its code.
import { later } from "./catalogue";
import { raw } from "./en/raw";

export const rawStrings = later("raw", raw);
