// The strings of these screens load with their code.
import { later } from "./catalogue";
import { topics } from "./en/topics";

export const topicStrings = later("topics", topics);
