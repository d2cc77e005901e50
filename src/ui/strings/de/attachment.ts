import type { StringCatalogue } from "../catalogue";
import { bytes, count, duration, inOneUnit } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment: StringCatalogue["attachment"] = {
  load: "Bild laden",
  play: "Abspielen",
  show: "Text zeigen",
  hide: "Text verbergen",
  from: (host) => `Von ${host}`,
  on: (host) => `auf ${host}`,
  expiresIn: (ms) => `noch ${duration(inOneUnit(ms))} auf dem Server`,
  gone: "nicht mehr auf dem Server",
  file: "Datei",
  size: bytes,
  failed: {
    image: "lässt sich nicht anzeigen: nicht da oder kein Bild",
    audio: "lässt sich nicht abspielen: nicht da oder in einem Format, das dieser Browser nicht kennt",
    video: "lässt sich nicht abspielen: nicht da oder in einem Format, das dieser Browser nicht kennt",
  },
  tryAgain: "Erneut versuchen",
  kept: "auf diesem Gerät aufbewahrt",
  notKept: {
    gone: "der Server hatte sie gelöscht, bevor sie aufbewahrt werden konnte",
    refused: "nicht aufbewahrt: Der Server verlangte eine Anmeldung",
    "too-large": "nicht aufbewahrt: größer als die Grenze für Dateien",
    "no-room": "nicht aufbewahrt: Der Platz für Dateien war aufgebraucht",
    "disk-full": "nicht aufbewahrt: Auf diesem Gerät war kein Platz mehr",
    deleted: "nicht aufbewahrt: Du hast die aufbewahrte Datei gelöscht",
    failed: "nicht aufbewahrt: keine Antwort, oder eine, die nicht die Datei war",
  },
  save: "Speichern",

  image: {
    enlarge: (name) => `${name} vergrößern`,
    zoomIn: "Vergrößern",
    zoomOut: "Verkleinern",
    fit: "Einpassen",
    zoom: (percent) => `${count(percent)} %`,
    open: "In einem neuen Tab öffnen",
    previous: "Voriges Bild",
    next: "Nächstes Bild",
    save: "Bild speichern",
    share: "Bild teilen",
    loading: "Lädt …",
    view: "Bild; Pfeiltasten bewegen es, + und − ändern seine Größe",
  },

  text: {
    reading: "Lädt …",
    first: (shown, total) =>
      total === undefined ? `Die ersten ${bytes(shown)}` : `Die ersten ${bytes(shown)} von ${bytes(total)}`,
    empty: "Die Datei ist leer",
    none: "Das ist kein Text",
    gone: "Der Server hat sie nicht mehr",
    failed: "Lässt sich hier nicht lesen: keine Antwort, oder der Server der Datei erlaubt es dieser Seite nicht",
  },
};
