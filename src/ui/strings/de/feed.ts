import type { Catalogue } from "../catalogue";
import { bytes, count, moment } from "../format";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed: Catalogue["appStrings"]["feed"] = {
  label: "Nachrichten",
  loading: "Liest …",
  searching: (backTo, now) => `Sucht, bisher zurück bis ${moment(backTo, now, "within")}`,
  end: "Älteres wird hier nicht aufbewahrt",
  message: {
    unread: "Ungelesen",
    starred: "Mit Stern",
    select: (title) => `${title} auswählen`,
    showAll: "Alles zeigen",
    showLess: "Weniger zeigen",
    binary: (sizeBytes) => `${bytes(sizeBytes)}, die kein Text sind`,
    unseen: (n) => `${count(n, { one: "Zeichen, das", other: "Zeichen, die" })} man nicht sehen kann`,
  },
};
