import type { CommandError } from "../../../contract";
import type { Failure } from "../../../protocol";
import { unreachable } from "../../../protocol";
import type { Catalogue } from "../catalogue";
import { list } from "../format";

/** Why an attempt failed, in the user's terms (docs/protocol.md §10). `server`: what to call the server. */
function failure(why: Failure, server = "Der Server"): string {
  switch (why.kind) {
    case "network":
      return `${server} ist nicht erreichbar.`;
    case "silent":
      return `${server} antwortet nicht mehr.`;
    case "ended":
      return `${server} hat die Verbindung beendet.`;
    case "http":
      return `${server} hat mit einem Fehler geantwortet (${String(why.status)}).`;
    case "busy":
      return why.code === 42909
        ? `Zu viele fehlgeschlagene Anmeldungen aus diesem Netz. ${server} lehnt einige Minuten lang alle ab.`
        : `${server} begrenzt die Anfragen.`;
    case "unauthorized":
      return `${server} hat Passwort oder Token abgelehnt.`;
    case "forbidden":
      if (why.isSignedIn) {
        return why.topics.length
          ? `Dieser Benutzer darf ${list(why.topics)} nicht lesen.`
          : "Dieser Benutzer darf dieses Thema nicht lesen.";
      }
      return why.topics.length
        ? `${server} verlangt eine Anmeldung für ${list(why.topics)}.`
        : `${server} verlangt eine Anmeldung.`;
    case "no-topic-server":
      return "Unter dieser Adresse ist kein Themenserver.";
    case "not-allowed-by-browser":
      return "Der Browser erlaubt dieser Seite nicht, diese Adresse zu erreichen.";
    case "malformed":
      return `Statt ${server.replace(/^Der Server$/, "des Servers")} antwortet etwas anderes. Vielleicht verlangt dieses Netz eine eigene Anmeldung.`;
    default:
      return unreachable(why);
  }
}

/** Why an input is refused: in words where a user meets it, else as the hub says. */
function invalid(reason: string): string {
  switch (reason) {
    case "not-allowed":
      return "Wer diese App bereitstellt, lässt diesen Server nicht zu.";
    case "locked":
      return "Wer diese App bereitstellt, hat diese Einstellung festgelegt.";
    default:
      return reason;
  }
}

/** Why a command was not carried out. */
function command(error: CommandError): string {
  switch (error.kind) {
    case "failed":
      return failure(error.why);
    case "invalid":
      return invalid(error.reason);
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
