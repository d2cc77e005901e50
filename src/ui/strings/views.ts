// The strings of these screens load with their code.
import { later } from "./catalogue";
import { views } from "./en/views";

export const viewStrings = later("views", views);
