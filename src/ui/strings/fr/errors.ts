import type { Translation } from "../catalogue";
import { failureTextFrom, type FailureStrings } from "../failure-text";

const failureStrings: FailureStrings = {
  theServer: "Le serveur",
  network: (server) => `${server} est injoignable.`,
  silent: (server) => `${server} ne répond plus.`,
  ended: (server) => `${server} a fermé la connexion.`,
  http: (server, status) => `${server} a répondu par une erreur (${status}).`,
  lockedOut: (server) =>
    `Trop de connexions échouées depuis ce réseau. ${server} les refuse toutes pendant quelques minutes.`,
  busy: (server) => `${server} limite les requêtes.`,
  unauthorized: (server) => `${server} a refusé le mot de passe ou le jeton.`,
  mayNotRead: (topics = "ce sujet") => `Cet utilisateur n’a pas le droit de lire ${topics}.`,
  needsSignIn: (server, topics) => `${server} demande une connexion${topics === undefined ? "" : ` pour ${topics}`}.`,
  noTopicServer: "Il n’y a pas de serveur de sujets à cette adresse.",
  notAllowedByBrowser: "Le navigateur ne permet pas à cette page d’accéder à cette adresse.",
  malformed: (server = "du serveur") =>
    `Autre chose répond à la place ${server === "du serveur" ? server : `de ${server}`}. Ce réseau demande peut-être d’abord une connexion.`,
  notAllowedByHost: "L’hébergeur de cette application n’autorise pas ce serveur.",
  fixedByHost: "L’hébergeur de cette application a fixé ce réglage.",
  duplicate: "Vous êtes déjà abonné à ce sujet.",
  notFound: "Cela n’existe plus.",
  quota: "Le stockage est plein.",
  storage: (text) => `Le stockage a échoué : ${text}`,
};

/** What is said of attempts and commands that failed. */
export const errors = {
  ...failureTextFrom(failureStrings),
  noClipboard: "Le navigateur ne permet pas à cette page d’utiliser le presse-papiers.",
} satisfies Translation["errors"];
