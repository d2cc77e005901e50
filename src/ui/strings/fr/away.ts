import type { Translation } from "../catalogue";
import { count, duration } from "../format";

/** What came while the user was away. Lengths of time in ms. */
export const away: Translation["away"] = {
  heading: (ms) => `Pendant votre absence · ${duration(ms)}`,
  putAway: "Masquer",
  newest: (n, unread, urgent) =>
    `Les ${count(n)} plus récents sur ${count(unread)} non lus${urgent > 0 ? ` ; ${count(urgent)} au total en priorité haute ou urgente` : ""}`,
  urgent: (n) => count(n, { one: "urgent", other: "urgents" }),
  high: (n) => `${count(n)} en priorité haute`,
  others: (n) => count(n, { one: "autre", other: "autres" }),
  topic: (name, n) => `${name} ${count(n)}`,
  moreTopics: (n) => count(n, { one: "autre sujet", other: "autres sujets" }),
  show: "Afficher",
  markRead: "Marquer comme lus",
};
