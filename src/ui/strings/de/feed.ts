import type { StringCatalogue } from "../catalogue";
import { bytes, count, duration, moment, momentWithTime } from "../format";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed: StringCatalogue["appStrings"]["feed"] = {
  label: "Nachrichten",
  loading: "Lädt …",
  searching: (backTo, now) => `Sucht, bisher zurück bis ${moment(backTo, now, "within")}`,
  end: "Nichts Älteres gespeichert",
  message: {
    unread: "Ungelesen",
    starred: "Mit Stern",
    due: (left, at, now) => `in ${duration(left)} · ${momentWithTime(at, now, "within")}`,
    select: (title) => `${title} auswählen`,
    showAll: "Alles zeigen",
    showLess: "Weniger zeigen",
    binary: (sizeBytes) => `${bytes(sizeBytes)} Binärdaten`,
    unseen: (n) => `${count(n, { one: "unsichtbares", other: "unsichtbare" })} Zeichen`,
  },
};
