import type { StringCatalogue } from "../catalogue";
import { count, duration } from "../format";

/** Moving a server, and trying what is wrong with one. */
export const servers: StringCatalogue["servers"] = {
  address: "Adresse",
  settings: "Einstellungen des Servers",
  signIn: {
    hint: "Ein Passwort wird gegen ein Token getauscht, wenn der Server eines ausgibt, und dann nicht gespeichert. Es wird nur an diesen Server gesendet und steht nur dann in einem Link, wenn du es so wählst.",
    out: "Abmelden",
    outHint: "Abmelden beendet das Token, das Earshot vom Server bekam, auch für alle, denen es weitergegeben wurde.",
    byPassword: "Das Passwort ist auf diesem Gerät gespeichert.",
    byToken: "Statt des Passworts ist ein Token gespeichert.",
    until: (said) => `Statt des Passworts ist ein Token gespeichert, gültig bis ${said}.`,
    done: (server) => `Von ${server} abgemeldet`,
    left: (server) => `Von ${server} abgemeldet. Er war nicht zu erreichen; das Token gilt dort, bis es abläuft.`,
    ends: (server, said) => `Die Anmeldung bei ${server} endet ${said}.`,
    ended: (server) => `Die Anmeldung bei ${server} ist abgelaufen.`,
  },
  headers: {
    label: "Zusätzliche Header",
    hint: "Für einen Proxy vor dem Server, der sie verlangt, einer je Zeile, etwa X-Key: abc. Sie gehen nur an diesen Server; Nachrichten kommen dann als JSON-Zeilen über HTTP.",
    transport:
      "Nachrichten kommen als JSON-Zeilen, weil ein Browser zusätzliche Header nur mit einfachen Anfragen sendet.",
    fault: (line) =>
      line === 0 ? "Das sind zu viele Header." : `Zeile ${line} ist kein Header, den eine Seite senden darf.`,
  },
  account: {
    button: "Themen des Kontos …",
    heading: (server) => `Themen des Kontos auf ${server}`,
    asking: "Der Server wird gefragt …",
    none: "Alle Themen des Kontos sind schon hier.",
    offered: "Hier nicht abonniert",
    reserved: "für dich reserviert",
    keep: "Mit dem Konto abgleichen",
    keepHint:
      "Was auf einer Seite dazukommt, kommt auch auf der anderen dazu, und was hier entfernt wird, wird aus dem Konto entfernt. Was anderswo aus dem Konto entfernt wird, bleibt hier mit seinen Nachrichten, bis du es verlässt.",
    leftThere: (topics) => `Anderswo aus dem Konto entfernt: ${topics}.`,
    leave: "Auch hier verlassen",
    left: (n) => `${count(n, { one: "Thema", other: "Themen" })} entfernt`,
  },
  move: {
    button: "Umziehen …",
    heading: (server) => `${server} umziehen`,
    hint: "Für einen Server, der jetzt unter einer anderen Adresse zu erreichen ist. Themen, Nachrichten und Markierungen bleiben, wie sie sind; Links mit der alten Adresse führen zur neuen.",
    field: "Neue Adresse",
    keep: (who) => `Auch dort anmelden (${who})`,
    keepHint: "Passwort oder Token wird an die neue Adresse gesendet. Ohne das meldest du dich dort neu an.",
    plain:
      "Die neue Adresse ist einfaches http; das Passwort würde unverschlüsselt gesendet. Um es trotzdem zu senden, noch einmal auf „Umziehen“ drücken.",
    taken:
      "Diese Adresse ist schon einer deiner Server. Verlasse zuerst dessen Themen, wenn dieser Server an seine Stelle tritt.",
    same: "Das ist die Adresse, die er jetzt hat.",
    anyway: "Trotzdem umziehen",
    save: "Umziehen",
    done: (address) => `Umgezogen nach ${address}`,
    lacksPushes: "Umgezogen. Push-Nachrichten ließen sich an der neuen Adresse nicht einschalten.",
  },
  test: {
    button: "Prüfen",
    heading: (server) => `Prüfung von ${server}`,
    asking: "Fragt die Adresse …",
    trying: "Prüft Anmeldung, Stream und Uhr …",
    repeat: "Noch einmal prüfen",
    tab: "In einem Tab öffnen",
    tabHint: "In einem Tab zeigt der Browser seine eigene Fehlermeldung, die eine Seite nicht sehen kann.",
    grades: { good: "In Ordnung", doubtful: "Prüfen", bad: "Fehler" },
    reached: "Unter dieser Adresse antwortet ein Themenserver.",
    mixed:
      "Diese Seite wurde über https geladen; der Browser lässt sie deshalb keine http-Adresse erreichen, oder nur manche im lokalen Netz.",
    mixedHint: "Gib dem Server https, oder öffne Earshot selbst über http.",
    "local-by-http":
      "Diese Seite wurde über http von außerhalb des lokalen Netzes geladen; der Browser lässt sie deshalb dort nichts erreichen.",
    "local-by-httpHint": "Öffne Earshot über https, oder von einem Server im lokalen Netz.",
    "local-denied": "Im Browser ist eingestellt, dass diese Seite nicht ins lokale Netz darf.",
    "local-deniedHint":
      "Erlaube es in den Einstellungen des Browsers für diese Website, unter Zugriff auf das lokale Netz.",
    "local-not-asked": "Der Browser fragt vielleicht noch, ob diese Seite das lokale Netz erreichen darf.",
    "local-not-askedHint": "Prüfe noch einmal, und erlaube es, wenn der Browser fragt.",
    offline: "Dieses Gerät hat kein Netz.",
    offlineHint: "Nachrichten kommen, sobald es wieder da ist.",
    "no-answer": "Keine Antwort, und mehr sagt der Browser einer Seite nicht.",
    "no-answerHint":
      "Der Server ist vielleicht aus, Name oder Port sind falsch, dem Zertifikat wird nicht vertraut, oder eine Erweiterung blockiert ihn. Im lokalen Netz kann dem Browser auch die Erlaubnis des Systems fehlen.",
    slow: "Keine Antwort innerhalb von 15 Sekunden, und auch kein Fehler.",
    slowHint: "Vielleicht verwirft eine Firewall die Anfragen, der Port ist falsch, oder der Server ist überlastet.",
    unreadable: "Etwas antwortet, lässt diese Seite die Antwort aber nicht lesen.",
    unreadableHint:
      "Themenserver erlauben das jeder Seite. Also entfernt ein Proxy davor den CORS-Header oder verlangt eine eigene Anmeldung.",
    "something-else": "Etwas antwortet, aber es ist kein Themenserver.",
    "something-elseHint":
      "Vielleicht ist der Pfad falsch, ein Proxy verlangt eine eigene Anmeldung, oder dieses Netz möchte, dass du dich zuerst anmeldest.",
    worker: (said) => `Diese Seite erreicht den Server, der Teil, der Nachrichten empfängt, aber nicht: ${said}`,
    workerHint: "Lade die Seite neu. Hilft das nicht, begrenzt der Server vielleicht Anfragen von hier.",
    open: "Themen lassen sich ohne Anmeldung lesen.",
    signedIn: (who) => `Angemeldet als ${who}: Themen lassen sich lesen.`,
    notSignedIn: "Ohne Anmeldung",
    refused: (who, said) => `${who}: ${said}`,
    stream: "Ein Stream geht auf: Nachrichten kommen sofort.",
    noStream: "Innerhalb von 5 Sekunden geht kein Stream auf; Nachrichten werden deshalb alle paar Sekunden abgeholt.",
    noStreamHint: "Wahrscheinlich hält ein Proxy vor dem Server Antworten zurück, bis sie enden.",
    keeps: (ms) => `Der Server bewahrt Nachrichten ${duration(ms)} lang auf.`,
    keepsNothing: "Der Server bewahrt keine Nachrichten auf: Was gesendet wird, während du weg bist, ist verloren.",
    keepsNothingHint: "Wer den Server betreibt, kann seinen Cache einschalten.",
    keepsUnknown: "Der Server sagt nicht, wie lange er Nachrichten aufbewahrt.",
    clock: "Die Uhren von Server und Gerät stimmen überein.",
    ahead: (ms) => `Die Uhr des Servers geht gegenüber diesem Gerät ${duration(ms)} vor.`,
    behind: (ms) => `Die Uhr des Servers geht gegenüber diesem Gerät ${duration(ms)} nach.`,
    clockHint: "Dadurch geht nichts verloren, aber Zeiten sehen falsch aus. Stelle die, die falsch geht.",
  },
};
