// The strings of moving and testing a server load with their code.
import { later } from "./catalogue";
import { servers } from "./en/servers";

export const serverStrings = later("servers", servers);
