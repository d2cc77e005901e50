import type { Translation } from "../catalogue";
import { count } from "../format";

/** Saved views. */
export const views: Translation["views"] = {
  save: "Enregistrer cette vue",
  rename: "Renommer la vue",
  name: "Nom",
  example: "Sauvegardes en échec",
  filter: (filter) => `Inclut le filtre ${filter}.`,
  noFilter: "Inclut les sujets affichés, sans filtre.",
  replaces: "Une vue porte déjà ce nom. Elle sera remplacée.",
  needsName: "Saisissez un nom.",
  taken: "Une autre vue porte ce nom.",
  saved: (name) => `« ${name} » enregistrée`,
  replaced: (name) => `« ${name} » modifiée`,
  moved: (name, place, all) => `Vue ${name} : ${count(place)} sur ${count(all)}`,
  removed: (name) => `« ${name} » supprimée`,
};
