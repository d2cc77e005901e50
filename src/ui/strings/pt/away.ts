import type { Translation } from "../catalogue";
import { count, duration } from "../format";

/** What came while the user was away. Lengths of time in ms. */
export const away: Translation["away"] = {
  heading: (ms) => `Enquanto você esteve fora · ${duration(ms)}`,
  putAway: "Dispensar",
  newest: (n, unread, urgent) =>
    `As ${count(n)} mais recentes de ${count(unread)} não lidas${urgent > 0 ? `; ${count(urgent)} do total são de prioridade alta ou urgente` : ""}`,
  urgent: (n) => count(n, { one: "urgente", other: "urgentes" }),
  high: (n) => `${count(n)} de prioridade alta`,
  others: (n) => count(n, { one: "outra", other: "outras" }),
  topic: (name, n) => `${name} ${count(n)}`,
  moreTopics: (n) => `mais ${count(n, { one: "tópico", other: "tópicos" })}`,
  show: "Mostrar",
  markRead: "Marcar como lidas",
};
