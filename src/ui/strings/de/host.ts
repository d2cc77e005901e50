import type { StringCatalogue } from "../catalogue";
import { count } from "../format";
import { hostProblemTextFrom, type HostProblemStrings } from "../host-problem-text";

const problemStrings: HostProblemStrings = {
  wanted: {
    object: "ein Objekt sein: { … }",
    list: "eine Liste sein: [ … ]",
    name: "ein Text mit 1 bis 40 Zeichen sein",
    address: 'die Adresse eines Servers sein, etwa "https://ntfy.example.com"',
    colour: 'eine Farbe sein, etwa "#0b7a75"',
    topic: 'ein Thema sein, etwa "backups" oder "ntfy.example.com/backups"',
    "push-key": "ein Schlüssel für Pushes sein: 87 Zeichen, beginnend mit B",
    language: 'der Code einer Sprache sein, etwa "de", oder "system"',
    boolean: "true oder false sein",
    count: "eine ganze Zahl sein, 0 oder mehr",
    setting: "eine Einstellung nennen, die sich so festlegen lässt",
    fewer: "höchstens 50 Einträge haben",
  },
  oneOf: (values) => `einer dieser Werte sein: ${values}`,
  tooLong: "Die Datei ist größer als 64 KB und wurde nicht gelesen.",
  notJson: (text) => `Die Datei ist kein JSON: ${text}`,
  unknown: (at) => `${at}: unbekannter Name`,
  wrong: (at = "Die Datei", wanted, found) => `${at} muss ${wanted}; da steht ${found}`,
  notAllowed: (at) => `${at} ist auf einem Server, den allowedServers nicht nennt.`,
};

/** What the host of the app has set. */
export const host: StringCatalogue["host"] = {
  heading: "Vom Anbieter",
  hint: "Wer diese App bereitstellt, hat das in ihrer config.json festgelegt.",
  name: "Name",
  server: "Üblicher Server",
  allowed: "Themen gibt es nur von",
  fixed: "Feste Einstellungen",
  locked: "Vom Anbieter dieser App festgelegt. Hier lässt es sich nicht ändern.",
  problems: (n) => `${count(n, { one: "Fehler", other: "Fehler" })} in config.json`,
  problemsHint: "Einträge mit Fehlern werden ignoriert; die anderen gelten.",
  problem: hostProblemTextFrom(problemStrings),
};
