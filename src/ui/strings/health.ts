// The strings of the connection's details load with their code.
import { later } from "./catalogue";
import { health } from "./en/health";

export const healthStrings = later("health", health);
