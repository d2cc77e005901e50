import type { Catalogue } from "../catalogue";
import { count, list } from "../format";
import { theMoment } from "./formats";

/** Rail, bottom bar and titles. */
export const shell: Catalogue["appStrings"]["shell"] = {
  skip: "Ir a los mensajes",
  navigation: "Temas y vistas",
  bar: "Principal",
  everything: "Todo",
  urgent: "Urgentes",
  starred: "Con estrella",
  scheduled: "Programados",
  done: "Hechos",
  snoozed: "Pospuestos",
  feed: "Mensajes",
  topics: "Temas",
  views: "Vistas",
  columns: "Columnas",
  wall: "Mural",
  raw: "en bruto",
  search: "Buscar",
  settings: "Ajustes",
  addTopic: "Añadir un tema",
  moreTopics: (n) => `${count(n)} más`,
  collapse: "Contraer la barra lateral",
  expand: "Desplegar la barra lateral",
  refused: "El servidor exige iniciar sesión",
  muted: "Silenciado",
  mutedUntil: (said) => `Silenciado hasta ${theMoment(said)}`,
  title: (unread, view) => (unread ? `(${count(unread)}) ${view} · Earshot` : `${view} · Earshot`),
  message: "Mensaje",
  servers: "Servidores",
  arrivals: "Llegadas",
  several: (names, others) => (others ? `${names.join(", ")} y ${count(others)} más` : list(names)),
  topicsOf: (group) => `Temas de ${group}`,
  removed: (topic) => `${topic} quitado`,
  badLink: "Este enlace no se puede abrir",
};
