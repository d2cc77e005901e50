import type { StringCatalogue } from "../catalogue";
import { failureTextFrom, type FailureStrings } from "../failure-text";

const failureStrings: FailureStrings = {
  theServer: "Der Server",
  network: (server) => `${server} ist nicht erreichbar.`,
  silent: (server) => `${server} antwortet nicht mehr.`,
  ended: (server) => `${server} hat die Verbindung beendet.`,
  http: (server, status) => `${server} hat mit einem Fehler geantwortet (${status}).`,
  lockedOut: (server) =>
    `Zu viele fehlgeschlagene Anmeldungen aus diesem Netz. ${server} lehnt einige Minuten lang alle ab.`,
  trafficSpent: (server) =>
    `Das Tageslimit von ${server} ist aufgebraucht. Manche Nachrichten kommen vielleicht später.`,
  busy: (server) => `${server} begrenzt die Anfragen.`,
  notAdmitted: (server) => `${server} lässt nur wenige neue Themen je Minute zu.`,
  unauthorized: (server) => `${server} hat Passwort oder Token abgelehnt.`,
  mayNotRead: (topics = "dieses Thema") => `Dieser Benutzer darf ${topics} nicht lesen.`,
  needsSignIn: (server, topics) => `${server} verlangt eine Anmeldung${topics === undefined ? "" : ` für ${topics}`}.`,
  noTopicServer: "Unter dieser Adresse ist kein Themenserver.",
  notAllowedByBrowser: "Der Browser erlaubt dieser Seite nicht, diese Adresse zu erreichen.",
  malformed: (server = "des Servers") =>
    `Statt ${server} antwortet etwas anderes. Vielleicht verlangt dieses Netz eine eigene Anmeldung.`,
  notAllowedByHost: "Wer diese App bereitstellt, lässt diesen Server nicht zu.",
  fixedByHost: "Wer diese App bereitstellt, hat diese Einstellung festgelegt.",
  duplicate: "Dieses Thema ist schon abonniert.",
  notFound: "Es ist nicht mehr da.",
  quota: "Der Speicher ist voll.",
  storage: (text) => `Fehler im Speicher: ${text}`,
};

/** What is said of attempts and commands that failed. */
export const errors: StringCatalogue["errors"] = {
  ...failureTextFrom(failureStrings),
  noClipboard: "Der Browser erlaubt dieser Seite nicht, die Zwischenablage zu nutzen.",
};
