// The words of these screens come with their code.
import { later } from "./catalogue";
import { away } from "./en/away";

export const awayWords = later("away", away);
