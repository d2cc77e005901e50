import type { ConfigProblem, Wanted } from "../../../contract";
import { unreachable } from "../../../protocol";
import type { Catalogue } from "../catalogue";
import { count, list } from "../format";

/** What a value of the host's file should be. */
function wantedIs(wanted: Wanted): string {
  if (typeof wanted !== "string") return `einer dieser Werte sein: ${list(wanted.map((value) => `"${value}"`))}`;
  switch (wanted) {
    case "object":
      return "ein Objekt sein: { … }";
    case "list":
      return "eine Liste sein: [ … ]";
    case "name":
      return "ein Text mit 1 bis 40 Zeichen sein";
    case "address":
      return 'die Adresse eines Servers sein, etwa "https://ntfy.example.com"';
    case "colour":
      return 'eine Farbe sein, etwa "#0b7a75"';
    case "topic":
      return 'ein Thema sein, etwa "backups" oder "ntfy.example.com/backups"';
    case "language":
      return 'der Code einer Sprache sein, etwa "de", oder "system"';
    case "boolean":
      return "true oder false sein";
    case "count":
      return "eine ganze Zahl sein, 0 oder mehr";
    case "setting":
      return "eine Einstellung nennen, die sich so festlegen lässt";
    case "fewer":
      return "höchstens 50 Einträge haben";
    default:
      return unreachable(wanted);
  }
}

/** What is wrong in the host's file. */
function problem(wrong: ConfigProblem): string {
  switch (wrong.kind) {
    case "too-long":
      return "Die Datei ist größer als 64 KB und wurde nicht gelesen.";
    case "not-json":
      return `Die Datei ist kein JSON: ${wrong.text}`;
    case "unknown":
      return `${wrong.at}: Diesen Namen gibt es nicht.`;
    case "wrong":
      return `${wrong.at === "" ? "Die Datei" : wrong.at} muss ${wantedIs(wrong.wanted)}; da steht ${wrong.found}`;
    case "not-allowed":
      return `${wrong.at} ist auf einem Server, den allowedServers nicht nennt.`;
    default:
      return unreachable(wrong);
  }
}

/** What whoever hosts the app has set. */
export const host: Catalogue["host"] = {
  heading: "Vom Anbieter",
  hint: "Wer diese App bereitstellt, hat das in ihrer config.json festgelegt.",
  name: "Name",
  server: "Üblicher Server",
  allowed: "Themen gibt es nur von",
  fixed: "Feste Einstellungen",
  locked: "Von dem festgelegt, der diese App bereitstellt. Hier lässt es sich nicht ändern.",
  problems: (n) => `${count(n, { one: "Fehler", other: "Fehler" })} in config.json`,
  problemsHint: "Was falsch ist, wurde weggelassen; alles andere gilt.",
  problem,
};
