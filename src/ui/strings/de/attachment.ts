import type { Catalogue } from "../catalogue";
import { bytes, count, duration } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment: Catalogue["attachment"] = {
  load: "Bild laden",
  play: "Abspielen",
  show: "Text zeigen",
  hide: "Text verbergen",
  from: (host) => `Von ${host}`,
  on: (host) => `auf ${host}`,
  expiresIn: (ms) => `in ${duration(ms)} vom Server gelöscht`,
  gone: "vom Server gelöscht",
  file: "Datei",
  size: bytes,
  failed: {
    image: "ist nicht zu zeigen: nicht da, oder kein Bild",
    audio: "ist nicht abzuspielen: nicht da, oder von einer Art, die dieser Browser nicht kennt",
    video: "ist nicht abzuspielen: nicht da, oder von einer Art, die dieser Browser nicht kennt",
  },
  tryAgain: "Noch einmal",

  image: {
    enlarge: (name) => `${name} vergrößern`,
    zoomIn: "Größer",
    zoomOut: "Kleiner",
    fit: "Einpassen",
    zoom: (percent) => `${count(percent)} %`,
    open: "In einem neuen Tab öffnen",
    loading: "Lädt …",
    view: "Bild; Pfeiltasten bewegen es, + und − ändern seine Größe",
  },

  text: {
    reading: "Liest …",
    first: (shown, total) =>
      total === undefined ? `Die ersten ${bytes(shown)}` : `Die ersten ${bytes(shown)} von ${bytes(total)}`,
    empty: "Die Datei ist leer",
    none: "Das ist kein Text",
    gone: "Der Server hat sie nicht mehr",
    failed: "Hier nicht zu lesen: keine Antwort, oder ihr Rechner lässt diese Seite sie nicht lesen",
  },
};
