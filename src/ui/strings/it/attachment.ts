import type { Translation } from "../catalogue";
import { bytes, count, duration, inOneUnit } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment: Translation["attachment"] = {
  load: "Carica immagine",
  play: "Riproduci",
  show: "Mostra il testo",
  hide: "Nascondi il testo",
  from: (host) => `Da ${host}`,
  on: (host) => `su ${host}`,
  expiresIn: (ms) => `sul server ancora per ${duration(inOneUnit(ms))}`,
  gone: "non più sul server",
  file: "File",
  size: bytes,
  failed: {
    image: "non può essere mostrata: manca o non è un’immagine",
    audio: "non può essere riprodotto: manca o questo browser non ne conosce il formato",
    video: "non può essere riprodotto: manca o questo browser non ne conosce il formato",
  },
  tryAgain: "Riprova",
  kept: "conservato su questo dispositivo",
  notKept: {
    gone: "il server lo aveva eliminato prima che potesse essere conservato",
    refused: "non conservato: il server chiedeva l’accesso",
    "too-large": "non conservato: più grande del limite per i file",
    "no-room": "non conservato: lo spazio per i file era esaurito",
    "disk-full": "non conservato: su questo dispositivo non c’era più spazio",
    deleted: "non conservato: hai eliminato il file conservato",
    failed: "non conservato: nessuna risposta, o una risposta che non era il file",
  },
  save: "Salva",

  image: {
    enlarge: (name) => `Ingrandisci ${name}`,
    zoomIn: "Ingrandisci",
    zoomOut: "Riduci",
    fit: "Adatta",
    zoom: (percent) => `${count(percent)}%`,
    open: "Apri in una nuova scheda",
    previous: "Immagine precedente",
    next: "Immagine successiva",
    save: "Salva immagine",
    share: "Condividi immagine",
    loading: "Caricamento…",
    view: "Immagine; le frecce la spostano, + e − cambiano lo zoom",
  },

  text: {
    reading: "Lettura…",
    first: (shown, total) =>
      total === undefined ? `I primi ${bytes(shown)}` : `I primi ${bytes(shown)} di ${bytes(total)}`,
    empty: "Il file è vuoto",
    none: "Questo non è testo",
    gone: "Non più sul server",
    failed: "Non può essere letto qui: nessuna risposta, o il suo host non permette a questa pagina di leggerlo",
  },
};
