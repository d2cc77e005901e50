import type { CommandError } from "../../../contract";
import type { Failure } from "../../../protocol";
import { unreachable } from "../../../protocol";
import type { Catalogue } from "../catalogue";
import { list } from "../format";

/** Why an attempt failed, in the user's terms (docs/protocol.md §10). */
function failure(why: Failure): string {
  switch (why.kind) {
    case "network":
      return "Der Server ist nicht erreichbar.";
    case "silent":
      return "Der Server antwortet nicht mehr.";
    case "ended":
      return "Der Server hat die Verbindung beendet.";
    case "http":
      return `Der Server hat mit einem Fehler geantwortet (${String(why.status)}).`;
    case "busy":
      return why.code === 42909
        ? "Zu viele fehlgeschlagene Anmeldungen aus diesem Netz. Der Server lehnt einige Minuten lang alle ab."
        : "Der Server begrenzt die Anfragen.";
    case "unauthorized":
      return "Der Server hat Passwort oder Token abgelehnt.";
    case "forbidden":
      if (why.isSignedIn) {
        return why.topics.length
          ? `Dieser Benutzer darf ${list(why.topics)} nicht lesen.`
          : "Dieser Benutzer darf dieses Thema nicht lesen.";
      }
      return why.topics.length
        ? `Der Server verlangt eine Anmeldung für ${list(why.topics)}.`
        : "Der Server verlangt eine Anmeldung.";
    case "no-topic-server":
      return "Unter dieser Adresse ist kein Themenserver.";
    case "not-allowed-by-browser":
      return "Der Browser erlaubt dieser Seite nicht, diese Adresse zu erreichen.";
    case "malformed":
      return "Statt des Servers antwortet etwas anderes. Vielleicht verlangt dieses Netz eine eigene Anmeldung.";
    default:
      return unreachable(why);
  }
}

/** Why a command was not carried out. */
function command(error: CommandError): string {
  switch (error.kind) {
    case "failed":
      return failure(error.why);
    case "invalid":
      return error.reason;
    case "duplicate":
      return "Dieses Thema ist schon abonniert.";
    case "not-found":
      return "Es ist nicht mehr da.";
    case "quota":
      return "Der Speicher ist voll.";
    case "storage":
      return `Fehler im Speicher: ${error.text}`;
    default:
      return unreachable(error);
  }
}

export const errors: Catalogue["errors"] = {
  failure,
  command,
  noClipboard: "Der Browser erlaubt dieser Seite nicht, die Zwischenablage zu nutzen.",
};
