// The words of the connection's details come with their code.
import { later } from "./catalogue";
import { health } from "./en/health";

export const healthWords = later("health", health);
