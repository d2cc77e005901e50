import type { Translation } from "../catalogue";
import { since } from "./formats";
import { count, timeOfDay } from "../format";

/** Columns side by side, and the wall. */
export const columns: Translation["columns"] = {
  add: "Ajouter une colonne",
  addLabel: "Contenu à afficher",
  choices: "Ce qu’une colonne peut afficher",
  noChoice: "Aucun résultat.",
  kinds: { view: "Vue enregistrée", server: "Serveur" },
  menu: (title) => `Actions de la colonne ${title}`,
  filter: "Filtrer cette colonne",
  alone: "Afficher seule",
  before: "Déplacer vers le début",
  after: "Déplacer vers la fin",
  wider: "Élargir",
  narrower: "Rétrécir",
  remove: "Supprimer la colonne",
  removed: "Colonne supprimée",
  wall: "Afficher en mur",
  none: "Aucune colonne pour l’instant.",
  notSubscribed: (names) => `Non abonné à ${names}`,
  subscribe: "S’abonner…",
};

export const wall: Translation["wall"] = {
  label: "Mur",
  leave: "Quitter le mur",
  full: "Plein écran",
  noFull: "Le navigateur ne peut pas afficher cette page en plein écran.",
  mayTurnOff: "Ce navigateur ne peut pas garder l’écran allumé : l’appareil décide quand il s’éteint.",
  isRefused: "L’appareil ne garde pas l’écran allumé pour l’instant, peut-être pour économiser l’énergie.",
  empty: "Rien ici",
  stale: (said) => `Aucun contact ${since(said)}. Ceci n’est peut-être plus à jour.`,
  never: "Aucun contact pour l’instant. Ceci n’est peut-être plus à jour.",
  repeats: (n, firstMs) => `×${count(n)} ${since(timeOfDay(firstMs))}`,
};
