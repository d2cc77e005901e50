// The strings of these parts load with their code.
import { later } from "./catalogue";
import { message } from "./en/message";

export const messageStrings = later("message", message);
