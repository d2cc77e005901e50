import type { Translation } from "../catalogue";
import { connectionTextFrom, type ConnectionStrings } from "../connection-text";
import { count, duration, roughlyAgo } from "../format";
import { since, until } from "./formats";

const connectionStrings: ConnectionStrings = {
  idle: "Non connecté",
  connecting: "Connexion",
  live: "En direct",
  inTurn: (topics) => `En direct, ${count(topics)} sujets à tour de rôle`,
  polled: (length, time) =>
    `Interrogé : intervalle de ${length}${time === undefined ? "" : ` · dernière fois ${time}`}`,
  waiting: (length) => `Prochain essai dans ${length}`,
  offline: "Hors ligne",
  refused: "Refusé",
  noTopicServer: "Pas un serveur de sujets",
  stopped: "Arrêté",
};

/** Names of the states of servers and of the device. */
export const state: Translation["state"] = {
  ...connectionTextFrom(connectionStrings),
  transports: { json: "Flux JSON", sse: "Flux SSE", ws: "WebSocket", poll: "Interrogation" },
  automatic: "Automatique",
  checking: "Vérification",
  unknown: "Démarrage",
  cacheless: "Ne stocke rien",
  cachelessHint: "Ce serveur ne stocke aucun message : ce qui est envoyé pendant votre absence est perdu.",
  lastContact: (ms) => `dernier contact ${roughlyAgo(ms, "à l’instant")}`,
  offline: "Hors ligne.",
  showingStored: "Affichage de ce qui est stocké sur cet appareil.",
  nextTry: (ms) => `Prochain essai dans ${duration(ms)}`,
  complete: (untilWhen, sinceWhen) =>
    sinceWhen ? `complet ${since(sinceWhen)}, ${until(untilWhen)}` : `complet ${until(untilWhen)}`,
  liveOf: (live, all) => `${count(live)} serveurs sur ${count(all)} en direct`,
  notLive: "pas en direct :",
};
