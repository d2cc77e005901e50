// What stands around the first rows has its words with its code.
import { later } from "./catalogue";
import { around } from "./en/around";

export const aroundWords = later("around", around);
