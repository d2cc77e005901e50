import type { Translation } from "../catalogue";
import { bytes, count, duration, moment, momentWithTime } from "../format";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed: Translation["appStrings"]["feed"] = {
  label: "Messages",
  loading: "Chargement…",
  searching: (backTo, now) => `Recherche en cours, remontée à : ${moment(backTo, now, "within")}`,
  end: "Rien de plus ancien n’est stocké",
  message: {
    unread: "Non lu",
    starred: "Avec étoile",
    due: (left, at, now) => `dans ${duration(left)} · ${momentWithTime(at, now, "within")}`,
    select: (title) => `Sélectionner ${title}`,
    showAll: "Tout afficher",
    showLess: "Réduire",
    binary: (sizeBytes) => `${bytes(sizeBytes)} de données binaires`,
    unseen: (n) =>
      `${count(n, { one: "caractère", other: "caractères" })}, ${n === 1 ? "invisible" : "tous invisibles"}`,
  },
};
