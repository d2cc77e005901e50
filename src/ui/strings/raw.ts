// The words of the raw tail come with its code.
import { later } from "./catalogue";
import { raw } from "./en/raw";

export const rawStrings = later("raw", raw);
