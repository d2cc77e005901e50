import type { Translation } from "../catalogue";
import { count } from "../format";

/** Strings that several screens share. */
export const common: Translation["appStrings"]["common"] = {
  appName: "Earshot",
  close: "Fermer",
  cancel: "Annuler",
  save: "Enregistrer",
  undo: "Annuler",
  copy: "Copier",
  copied: "Copié",
  details: "Détails",
  more: "Plus",
  tryAgain: "Réessayer",
  tryNow: "Essayer maintenant",
  signIn: "Se connecter",
  subscribe: "S’abonner",
  messages: (n) => count(n, { one: "message", other: "messages" }),
  unread: (n) => count(n, { one: "non lu", other: "non lus" }),
  urgentUnread: (n) => count(n, { one: "urgent non lu", other: "urgents non lus" }),
  highUnread: (n) => `${count(n, { one: "non lu", other: "non lus" })} en priorité haute`,
  topics: (n) => count(n, { one: "sujet", other: "sujets" }),
  servers: (n) => count(n, { one: "serveur", other: "serveurs" }),
  noSuchMessage: "Le message de ce lien n’est pas stocké sur cet appareil.",
  notLoaded: "Cette partie de l’application n’a pas pu être chargée.",
  noStart: "Earshot n’a pas pu démarrer.",
};

/** Names of the priorities (docs/protocol.md §14). */
export const priority: Translation["appStrings"]["priority"] = {
  label: "Priorité",
  names: { 1: "Minimale", 2: "Basse", 3: "Normale", 4: "Haute", 5: "Urgente" },
};
