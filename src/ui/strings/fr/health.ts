import type { Translation } from "../catalogue";
import { count, duration } from "../format";
import { since } from "./formats";

/** The details of one connection. */
export const health: Translation["health"] = {
  heading: (server) => `Connexion à ${server}`,
  state: "État",
  why: "Raison",
  receiving: "Réception",
  byHand: (transport) => `${transport}, choisi par vous`,
  bySelf: (transport) => `${transport}, choisi automatiquement`,
  heldBack:
    "Un proxy placé devant le serveur retient les messages ; ils sont donc récupérés toutes les quelques secondes.",
  heldBackHint: "Deux lignes dans le bloc location du serveur de sujets, dans nginx, les laissent passer :",
  inTurn: (n) =>
    `Il y a plus de sujets que les flux ne peuvent en porter ; ${count(n)} sont donc récupérés à tour de rôle.`,
  lastContact: "Dernier contact",
  lastComplete: "Dernière vérification complète",
  checking: "Vérification…",
  slow: (servers, ms) => `Vérification depuis ${duration(ms)} : pas encore de réponse complète de ${servers}`,
  never: "Pas encore",
  keeps: "Durée de conservation sur le serveur",
  keepsNothing: "Aucune : ce qui est envoyé pendant votre absence est perdu",
  unknown: "Pas encore connue",
  requests: "Requêtes en cinq minutes",
  requestsOf: (n, usual) => `${count(n)} sur les ${count(usual)} que les serveurs permettent d’ordinaire`,
  skipped: "Lignes mal formées ignorées",
  topics: "Sujets",
  complete: "Complet, aussi loin que le serveur conserve les messages",
  completeSince: (said) => `Complet ${since(said)}`,
  unchecked: "Pas encore vérifié",
  refused: "Le serveur demande une connexion",
  refusedUser: "Cet utilisateur n’a pas le droit de le lire",
  leave: "Quitter",
  settings: "Réglages du serveur",
  copy: "Copier le diagnostic",
  copied: "Diagnostic copié",
  copyHeading: "Copiez ce diagnostic",
  copyHint: "Un texte pour la personne qui vous aide. Il ne contient ni serveur, ni sujet, ni identifiants.",
};
