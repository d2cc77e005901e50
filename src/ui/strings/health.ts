// The words of the connection's details come with their code.
import { later } from "./catalogue";
import { health } from "./en/health";

export const healthStrings = later("health", health);
