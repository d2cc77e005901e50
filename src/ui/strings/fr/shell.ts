import type { Catalogue } from "../catalogue";
import { count, list } from "../format";
import { until } from "./formats";

/** Rail, bottom bar and titles. */
export const shell: Catalogue["appStrings"]["shell"] = {
  skip: "Aller aux messages",
  navigation: "Sujets et vues",
  bar: "Principal",
  everything: "Tout",
  urgent: "Urgents",
  starred: "Avec étoile",
  scheduled: "Programmés",
  done: "Terminés",
  snoozed: "Reportés",
  feed: "Fil",
  topics: "Sujets",
  views: "Vues",
  columns: "Colonnes",
  wall: "Mur",
  raw: "brut",
  search: "Recherche",
  settings: "Réglages",
  addTopic: "Ajouter un sujet",
  moreTopics: (n) => `${count(n)} de plus`,
  collapse: "Réduire la barre latérale",
  expand: "Déplier la barre latérale",
  refused: "Le serveur demande une connexion",
  muted: "En sourdine",
  mutedUntil: (said) => `En sourdine ${until(said)}`,
  title: (unread, view) => (unread ? `(${count(unread)}) ${view} · Earshot` : `${view} · Earshot`),
  message: "Message",
  servers: "Serveurs",
  arrivals: "Arrivées",
  several: (names, others) => (others ? `${names.join(", ")} et ${count(others)} de plus` : list(names)),
  topicsOf: (group) => `Sujets de ${group}`,
  removed: (topic) => `${topic} retiré`,
  badLink: "Ce lien ne peut pas être ouvert",
};
