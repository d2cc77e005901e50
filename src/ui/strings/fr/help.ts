import type { Translation } from "../catalogue";

/** Around the pages of the help, and where questions arise. */
export const help: Translation["help"] = {
  contents: "Pages de l’aide",
  language: "L’aide n’existe pour l’instant qu’en anglais.",
  pages: {
    "first-steps": "Premiers pas",
    filters: "Rechercher et filtrer",
    keyboard: "Clavier",
    phones: "Téléphones et installation",
    troubleshooting: "En cas de problème",
  },
  links: {
    "first-steps": "Comment fonctionne Earshot",
    filters: "Comment fonctionnent les filtres",
    keyboard: "En savoir plus sur le clavier",
    phones: "Notifications sur téléphone",
    troubleshooting: "En cas de problème",
  },
};
