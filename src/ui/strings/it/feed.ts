import type { Translation } from "../catalogue";
import { bytes, count, duration, moment, momentWithTime } from "../format";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed: Translation["appStrings"]["feed"] = {
  label: "Messaggi",
  loading: "Caricamento…",
  searching: (backTo, now) => `Ricerca in corso, arrivata a ${moment(backTo, now, "within")}`,
  end: "Non è salvato nulla di più vecchio",
  message: {
    unread: "Non letto",
    starred: "Con stella",
    due: (left, at, now) => `tra ${duration(left)} · ${momentWithTime(at, now, "within")}`,
    select: (title) => `Seleziona ${title}`,
    showAll: "Mostra tutto",
    showLess: "Mostra meno",
    binary: (sizeBytes) => `${bytes(sizeBytes)} di dati binari`,
    unseen: (n) => `${count(n, { one: "carattere", other: "caratteri" })}, nessuno visibile`,
  },
};
