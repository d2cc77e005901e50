import type { Translation } from "../catalogue";
import { count, duration } from "../format";

/** What came while the user was away. Lengths of time in ms. */
export const away: Translation["away"] = {
  heading: (ms) => `Mentre eri via · ${duration(ms)}`,
  putAway: "Nascondi",
  newest: (n, unread, urgent) =>
    `I ${count(n)} più recenti di ${count(unread)} non letti${urgent > 0 ? `; in tutto ${count(urgent)} di priorità alta o urgente` : ""}`,
  urgent: (n) => count(n, { one: "urgente", other: "urgenti" }),
  high: (n) => `${count(n)} di priorità alta`,
  others: (n) => count(n, { one: "altro", other: "altri" }),
  topic: (name, n) => `${name} ${count(n)}`,
  moreTopics: (n) => count(n, { one: "altro argomento", other: "altri argomenti" }),
  show: "Mostra",
  markRead: "Segna come letti",
};
