// The words of these parts come with their code.
import { later } from "./catalogue";
import { message } from "./en/message";

export const messageWords = later("message", message);
