import type { StringCatalogue } from "../catalogue";

/** Around the pages of the help, and where questions arise. */
export const help: StringCatalogue["help"] = {
  contents: "Seiten der Hilfe",
  language: "",
  pages: {
    "first-steps": "Erste Schritte",
    filters: "Suchen und filtern",
    keyboard: "Tastatur",
    phones: "Handys und Installieren",
    troubleshooting: "Wenn etwas nicht stimmt",
  },
  links: {
    "first-steps": "So funktioniert Earshot",
    filters: "So funktionieren Filter",
    keyboard: "Mehr zur Tastatur",
    phones: "Benachrichtigungen auf dem Handy",
    troubleshooting: "Wenn etwas nicht stimmt",
  },
};
