// What the host has set, and what is wrong in its file; the strings load with the settings and the first start.
import { later } from "./catalogue";
import { host } from "./en/host";

export const hostStrings = later("host", host);
