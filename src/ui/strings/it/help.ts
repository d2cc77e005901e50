import type { Translation } from "../catalogue";

/** Around the pages of the help, and where questions arise. */
export const help: Translation["help"] = {
  contents: "Pagine della guida",
  language: "Per ora la guida esiste solo in inglese.",
  pages: {
    "first-steps": "Primi passi",
    filters: "Cercare e filtrare",
    keyboard: "Tastiera",
    phones: "Telefoni e installazione",
    troubleshooting: "Se qualcosa non va",
  },
  links: {
    "first-steps": "Come funziona Earshot",
    filters: "Come funzionano i filtri",
    keyboard: "Altro sulla tastiera",
    phones: "Notifiche sul telefono",
    troubleshooting: "Se qualcosa non va",
  },
};
