import type { Catalogue } from "../catalogue";
import { count, list } from "../format";
import { until } from "./formats";

/** Rail, bottom bar and titles. */
export const shell: Catalogue["appStrings"]["shell"] = {
  skip: "Vai ai messaggi",
  navigation: "Argomenti e viste",
  bar: "Principale",
  everything: "Tutto",
  urgent: "Urgenti",
  starred: "Con stella",
  scheduled: "Programmati",
  done: "Fatti",
  snoozed: "Posticipati",
  feed: "Feed",
  topics: "Argomenti",
  views: "Viste",
  columns: "Colonne",
  wall: "Parete",
  raw: "grezzo",
  search: "Cerca",
  settings: "Impostazioni",
  addTopic: "Aggiungi un argomento",
  moreTopics: (n) => (n === 1 ? "1 altro" : `altri ${count(n)}`),
  collapse: "Comprimi la barra laterale",
  expand: "Espandi la barra laterale",
  refused: "Il server richiede l’accesso",
  muted: "Silenziato",
  mutedUntil: (said) => `Silenziato ${until(said)}`,
  title: (unread, view) => (unread ? `(${count(unread)}) ${view} · Earshot` : `${view} · Earshot`),
  message: "Messaggio",
  servers: "Server",
  arrivals: "Arrivi",
  several: (names, others) => (others ? `${names.join(", ")} e altri ${count(others)}` : list(names)),
  topicsOf: (group) => `Argomenti di ${group}`,
  removed: (topic) => `${topic} rimosso`,
  badLink: "Questo link non può essere aperto",
};
