import type { Translation } from "../catalogue";
import { count, duration } from "../format";

/** What came while the user was away. Lengths of time in ms. */
export const away: Translation["away"] = {
  heading: (ms) => `Mientras no estabas · ${duration(ms)}`,
  putAway: "Descartar",
  newest: (n, unread, urgent) =>
    `Los ${count(n)} más recientes de ${count(unread)} no leídos${urgent > 0 ? `; ${count(urgent)} del total de prioridad alta o urgente` : ""}`,
  urgent: (n) => count(n, { one: "urgente", other: "urgentes" }),
  high: (n) => `${count(n)} de prioridad alta`,
  others: (n) => count(n, { one: "otro", other: "otros" }),
  topic: (name, n) => `${name} ${count(n)}`,
  moreTopics: (n) => count(n, { one: "tema más", other: "temas más" }),
  show: "Mostrar",
  markRead: "Marcar como leídos",
};
