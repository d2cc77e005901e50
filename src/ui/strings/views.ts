// The words of these screens come with their code.
import { later } from "./catalogue";
import { views } from "./en/views";

export const viewStrings = later("views", views);
